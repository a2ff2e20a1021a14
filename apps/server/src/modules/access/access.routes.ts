import {
  accessReasons,
  accessRequest,
  menuAuthRoutes,
  menuButtons,
  menuOnlyLazyList,
  menuOnlyList,
  menuRoutes,
  menuTop,
  topMenuGrant,
  topMenuKeys,
  topMenuTree,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AccessService } from "./access.service.ts";
import type { AccessReasonsService } from "./access-reasons.service.ts";
import type { MenuAdminService } from "./menu-admin.service.ts";

export function accessRoutes(
  router: Router,
  access: AccessService,
  admin: MenuAdminService,
  reasons: AccessReasonsService,
): void {
  // What each page asks first: whose roles are the same, and grant the same, get the same bytes.
  router.onKept(
    menuRoutes,
    ({ session, query }) => `${session?.grants.join() ?? ""} ${query.topMenuId ?? ""}`,
    ({ session, query }) => access.routes(session, query.topMenuId),
  );
  router.on(menuTop, ({ session }) => access.top(session));
  router.on(menuButtons, ({ session }) => access.buttons(session));
  router.on(menuOnlyList, ({ query }) => admin.trees(query));
  router.on(menuOnlyLazyList, ({ query }) => admin.level(query));
  router.on(menuAuthRoutes, ({ session }) => admin.authRoutes(session));
  router.on(topMenuTree, ({ scope }) => admin.grantTree(scope));
  router.on(topMenuKeys, ({ scope, query }) => admin.keys(scope, query.topMenuIds));
  router.on(topMenuGrant, async ({ scope, body }) => {
    await admin.grant(scope, body);
    return {};
  });
  router.on(accessReasons, ({ session, scope, query }) => reasons.of(session, scope, query));
  router.on(accessRequest, ({ session, scope, body }) => access.request(session, scope, body.menuCode));
}
