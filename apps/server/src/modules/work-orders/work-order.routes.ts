import {
  afterSalesDetail,
  afterSalesPage,
  afterSalesSubmit,
  complaintDetail,
  complaintPage,
  complaintSubmit,
  deskAnswer,
  deskArrive,
  deskAssign,
  deskClaim,
  deskComplete,
  deskDecide,
  deskFigures,
  deskMerge,
  deskNote,
  deskOrderDetail,
  deskOrderPage,
  deskPublish,
  deskRedirect,
  deskRemote,
  deskShip,
  publicSuggestion,
  publicSuggestionPage,
  suggestionDetail,
  suggestionPage,
  suggestionSubmit,
  workOrderCancel,
  workOrderRate,
  workOrderReceive,
  workOrderReopen,
  workOrderReply,
  workOrderSummary,
  workOrderUrge,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeskService } from "./desk.service.ts";
import type { WorkOrderService } from "./work-order.service.ts";

/** The group does not write to itself. */
function requireCustomer({ tenantType }: Session): void {
  if (tenantType === "group") throw refuse("work_order.group");
}

/** Who acts for a customer, by the rights of the session. */
const customerOf = ({ session, scope }: { session: Session; scope: TenantScope }) => ({
  scope,
  managing: session.permissions.has("work_order_manage"),
  maySubmit: session.permissions.has("work_order_submit"),
});

export function workOrderRoutes(
  router: Router,
  { orders, desk }: { orders: WorkOrderService; desk: DeskService },
): void {
  router.on(afterSalesPage, (call) => orders.page(customerOf(call), "after_sales", call.query));
  router.on(complaintPage, (call) => orders.page(customerOf(call), "complaint", call.query));
  router.on(suggestionPage, (call) => orders.page(customerOf(call), "suggestion", call.query));
  router.on(afterSalesDetail, (call) => orders.detail(customerOf(call), "after_sales", call.query.id));
  router.on(complaintDetail, (call) => orders.detail(customerOf(call), "complaint", call.query.id));
  router.on(suggestionDetail, (call) => orders.detail(customerOf(call), "suggestion", call.query.id));
  router.on(afterSalesSubmit, ({ session, scope, body }) => {
    requireCustomer(session);
    return orders.raiseAfterSales(scope, body);
  });
  router.on(complaintSubmit, ({ session, scope, body }) => {
    requireCustomer(session);
    return orders.raiseComplaint(scope, body);
  });
  router.on(suggestionSubmit, ({ session, scope, body }) => {
    requireCustomer(session);
    return orders.raiseSuggestion(scope, body);
  });
  router.on(workOrderReply, (call) => orders.reply(customerOf(call), call.body));
  router.on(workOrderUrge, (call) => orders.urge(customerOf(call), call.body.id));
  router.on(workOrderReceive, (call) => orders.receive(customerOf(call), call.body.id));
  router.on(workOrderCancel, (call) => orders.cancel(customerOf(call), call.body));
  router.on(workOrderRate, (call) => orders.rate(customerOf(call), call.body));
  router.on(workOrderReopen, (call) => orders.reopen(customerOf(call), call.body));
  router.on(workOrderSummary, ({ scope }) => orders.summary(scope));
  router.on(publicSuggestionPage, ({ query }) => orders.publicPage(query));
  router.on(publicSuggestion, ({ query }) => orders.publicOne(query));

  router.on(deskOrderPage, ({ scope, query }) => desk.page(scope, query));
  router.on(deskOrderDetail, ({ scope, query }) => desk.detail(scope, query.id));
  router.on(deskFigures, ({ scope }) => desk.figures(scope));
  router.on(deskClaim, ({ scope, body }) => desk.claim(scope, body));
  router.on(deskAssign, ({ scope, body }) => desk.assign(scope, body));
  router.on(deskAnswer, ({ scope, body }) => desk.answer(scope, body));
  router.on(deskNote, ({ scope, body }) => desk.note(scope, body));
  router.on(deskShip, ({ scope, body }) => desk.ship(scope, body));
  router.on(deskArrive, ({ scope, body }) => desk.arrive(scope, body));
  router.on(deskRemote, ({ scope, body }) => desk.remote(scope, body));
  router.on(deskRedirect, ({ scope, body }) => desk.redirect(scope, body));
  router.on(deskComplete, ({ scope, body }) => desk.complete(scope, body));
  router.on(deskMerge, ({ scope, body }) => desk.merge(scope, body));
  router.on(deskDecide, ({ scope, body }) => desk.decide(scope, body));
  router.on(deskPublish, ({ scope, body }) => desk.publish(scope, body));
}
