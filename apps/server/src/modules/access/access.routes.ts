import { accessRequest, menuButtons, menuRoutes, menuTop } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AccessService } from "./access.service.ts";

export function accessRoutes(router: Router, access: AccessService): void {
  // What each page asks first: whose roles are the same, and grant the same, get the same bytes.
  router.onKept(
    menuRoutes,
    ({ session, query }) => `${session?.grants.join() ?? ""} ${query.topMenuId ?? ""}`,
    ({ session, query }) => access.routes(session, query.topMenuId),
  );
  router.on(menuTop, ({ session }) => access.top(session));
  router.on(menuButtons, ({ session }) => access.buttons(session));
  router.on(accessRequest, ({ session, scope, body }) => access.request(session, scope, body.menuCode));
}
