import {
  accessReasons,
  accessRequest,
  accessRows,
  menuArrange,
  menuAuthRoutes,
  menuButtons,
  menuOnlyLazyList,
  menuOnlyList,
  menuPreview,
  menuRoutes,
  menuTop,
  publicClient,
  roleSessionLeave,
  roleSessionOpen,
  topMenuGrant,
  topMenuKeys,
  topMenuTree,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import { type ResourceService, scoped } from "../../resources/index.ts";
import type { AccessService } from "./access.service.ts";
import type { AccessReasonsService } from "./access-reasons.service.ts";
import type { MenuAdminService } from "./menu-admin.service.ts";
import type { RolePreviewService } from "./role-preview.service.ts";

export function accessRoutes(
  router: Router,
  {
    access,
    admin,
    reasons,
    previews,
    menus,
  }: {
    access: AccessService;
    admin: MenuAdminService;
    reasons: AccessReasonsService;
    previews: RolePreviewService;
    menus: Pick<ResourceService, "arrange">;
  },
): void {
  // What each page asks first: whose roles are the same, and grant the same, get the same bytes.
  router.onKept(
    menuRoutes,
    ({ session, query }) =>
      `${[session?.grants, session?.preview?.ownGrants, query.topMenuId].map((part) => part ?? "").join(" ")}`,
    ({ session, query }) => access.routes(session, query.topMenuId),
  );
  router.on(menuTop, ({ session }) => access.top(session));
  router.on(menuButtons, ({ session }) => access.buttons(session));
  router.on(menuOnlyList, ({ query }) => admin.trees(query));
  router.on(menuOnlyLazyList, ({ query }) => admin.level(query));
  router.on(menuPreview, ({ scope, body }) => admin.effect(scope, body));
  router.on(menuArrange, async ({ scope, body }) => {
    await menus.arrange(scoped(scope), body.moves);
    return {};
  });
  router.on(menuAuthRoutes, ({ session }) => admin.authRoutes(session));
  router.on(topMenuTree, ({ scope }) => admin.grantTree(scope));
  router.on(topMenuKeys, ({ scope, query }) => admin.keys(scope, query.topMenuIds));
  router.on(topMenuGrant, async ({ scope, body }) => {
    await admin.grant(scope, body);
    return {};
  });
  router.on(roleSessionOpen, ({ session, scope, body, remoteAddress, userAgent }) =>
    previews.open(session, scope, body.roleId, { clientId: publicClient.id, remoteAddress, userAgent }),
  );
  router.on(roleSessionLeave, async ({ session }) => {
    await previews.leave(session);
    return {};
  });
  router.on(accessReasons, ({ session, scope, query }) => reasons.of(session, scope, query));
  router.on(accessRows, ({ session, query }) => reasons.rows(session, query));
  router.on(accessRequest, ({ session, scope, body }) => access.request(session, scope, body.menuCode));
}
