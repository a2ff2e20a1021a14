import {
  customerDetail,
  customerExport,
  customerFigures,
  customerPage,
  customerReveal,
  customerSubmit,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import type { CustomerService } from "./customer.service.ts";
import type { CustomerExport } from "./customer-export.service.ts";

export interface CustomerRouteDependencies {
  customers: CustomerService;
  exports: CustomerExport;
  /** Refuses a session whose person did not prove lately who they are. */
  requireConfirmed: (session: Session) => Promise<void>;
}

export function customerRoutes(
  router: Router,
  { customers, exports, requireConfirmed }: CustomerRouteDependencies,
): void {
  router.on(customerPage, ({ scope, query }) => customers.page(scope, query));
  router.on(customerFigures, ({ scope }) => customers.figures(scope));
  router.on(customerDetail, ({ scope, query }) => customers.detail(scope, query.id));
  router.on(customerReveal, ({ scope, body }) => customers.reveal(scope, body));
  router.on(customerSubmit, ({ scope, body }) => customers.submit(scope, body));
  router.on(customerExport, async ({ session, scope, body }) => {
    if (body.personal) {
      if (!session.permissions.has("customer_show")) throw refuse("customers.may_not_show", { field: "personal" });
      await requireConfirmed(session);
    }
    return exports.export(scope, body);
  });
}
