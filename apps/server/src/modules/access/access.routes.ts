import { accessRequest, menuButtons, menuRoutes, menuTop } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AccessService } from "./access.service.ts";

export function accessRoutes(router: Router, access: AccessService): void {
  router.on(menuRoutes, ({ session, query }) => access.routes(session, query.topMenuId));
  router.on(menuTop, ({ session }) => access.top(session));
  router.on(menuButtons, ({ session }) => access.buttons(session));
  router.on(accessRequest, ({ session, body }) => access.request(session, body.menuCode));
}
