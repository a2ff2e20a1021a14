import {
  afterSalesDetail,
  afterSalesPage,
  complaintDetail,
  complaintPage,
  suggestionDetail,
  suggestionPage,
  type WorkOrderType,
} from "@herdwise/contract";
import { useLocation } from "react-router";
import { typePaths } from "../../shared/work-orders/words.ts";

/** What the screens of each type ask the server. */
export const operations = {
  after_sales: { page: afterSalesPage, detail: afterSalesDetail },
  complaint: { page: complaintPage, detail: complaintDetail },
  suggestion: { page: suggestionPage, detail: suggestionDetail },
} as const;

/** The type that the screen of this address is for. */
export function useOrderType(): WorkOrderType {
  const path = useLocation().pathname.replace(/\/+$/, "");
  const types = Object.keys(typePaths) as WorkOrderType[];
  return types.find((type) => path === typePaths[type].add || path.startsWith(typePaths[type].list)) ?? "after_sales";
}

/** Name of the list of each type, so that what changes one order renews them all. */
export const orderListName = "work_order";

/** Cache key of everything of orders. */
export const orderKey = ["resource", orderListName] as const;
