import {
  accessRequest,
  accessRequestGrant,
  accessRequestPage,
  accessRequestRefuse,
  menuButtons,
  menuRoutes,
  menuTop,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AccessService } from "./access.service.ts";
import type { RequestService } from "./request.service.ts";

export function accessRoutes(router: Router, access: AccessService, requests: RequestService): void {
  // What each page asks first: whose roles are the same, and grant the same, get the same bytes.
  router.onKept(
    menuRoutes,
    ({ session, query }) => `${session?.grants.join() ?? ""} ${query.topMenuId ?? ""}`,
    ({ session, query }) => access.routes(session, query.topMenuId),
  );
  router.on(menuTop, ({ session }) => access.top(session));
  router.on(menuButtons, ({ session }) => access.buttons(session));
  router.on(accessRequest, ({ session, body }) => access.request(session, body.menuCode));
  router.on(accessRequestPage, ({ scope, query }) => requests.page(scope, query));
  router.on(accessRequestGrant, ({ scope, body }) => requests.grant(scope, body));
  router.on(accessRequestRefuse, ({ scope, body }) => requests.refuse(scope, body));
}
