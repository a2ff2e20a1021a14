import {
  afterSalesDetail,
  afterSalesPage,
  complaintDetail,
  complaintPage,
  deskOrderDetail,
  deskOrderPage,
  type Endpoint,
  suggestionDetail,
  suggestionPage,
  type WorkOrderType,
} from "@herdwise/contract";
import { type Finder, numberedRow } from "../../finder.ts";
import type { DeskRepository } from "./desk.repository.ts";
import type { WorkOrderRepository } from "./work-order.repository.ts";

const indexed = "work_order";

/** Each type is a list of its own for customers. */
const lists: readonly (readonly [WorkOrderType, string, string, Endpoint, Endpoint])[] = [
  ["after_sales", "售后工单", "/workOrder/orderService/detail", afterSalesPage, afterSalesDetail],
  ["complaint", "投诉单", "/workOrder/complaintOrder/detail", complaintPage, complaintDetail],
  ["suggestion", "建议单", "/workOrder/suggestion/detail", suggestionPage, suggestionDetail],
];

/** Find work orders, as the desk and as customers have them. */
export const orderFinders = (
  orders: Pick<WorkOrderRepository, "page">,
  desk: Pick<DeskRepository, "page">,
): Finder[] => [
  {
    kind: indexed,
    name: "工单",
    icon: "wrench",
    page: deskOrderPage,
    detail: deskOrderDetail,
    of: "group",
    read: async (scope, ids) =>
      (await desk.page(scope, { queue: "all", ids }, { offset: 0, limit: ids.length })).rows.map((row) => ({
        ...numberedRow(row, "/customer/workOrder/detail"),
        within: [row.customer],
      })),
  },
  ...lists.map(
    ([type, name, path, page, detail]): Finder => ({
      kind: type,
      indexed,
      name,
      icon: "wrench",
      page,
      detail,
      of: "customers",
      read: async (scope, ids) =>
        (await orders.page(scope, { type, ids }, { offset: 0, limit: ids.length })).rows.map((row) =>
          numberedRow(row, path),
        ),
    }),
  ),
];
