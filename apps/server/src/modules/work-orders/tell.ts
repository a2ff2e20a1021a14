import type { WorkOrderType } from "@herdwise/contract";

/** Screens of customers, by type. */
const customerScreens: Readonly<Record<WorkOrderType, string>> = {
  after_sales: "/workOrder/orderService",
  complaint: "/workOrder/complaintOrder",
  suggestion: "/workOrder/suggestion",
};
const deskScreen = "/customer/workOrder/detail";

interface Named {
  id: string;
  type: WorkOrderType;
  number: string;
  title: string;
}

export const customerLink = ({ id, type }: Pick<Named, "id" | "type">): string =>
  `${customerScreens[type]}/detail?id=${id}`;
export const deskLink = ({ id }: Pick<Named, "id">): string => `${deskScreen}?id=${id}`;
/** What a message says beside its title: names, of which each is shown in the reader's language. */
export const contentOf = ({ number, title }: Pick<Named, "number" | "title">): string =>
  `${number} · ${title.replaceAll(" · ", " ")}`;
