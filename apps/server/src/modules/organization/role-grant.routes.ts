import { grantTree, roleClone, roleGrant, rolePreview, roleTreeKeys } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { RoleGrantService } from "./role-grant.service.ts";

export function roleGrantRoutes(router: Router, grants: RoleGrantService): void {
  router.on(grantTree, ({ scope, query }) => grants.tree(scope, query.roleIds));
  router.on(roleTreeKeys, ({ scope, query }) => grants.keys(scope, query.roleIds));
  router.on(roleGrant, async ({ scope, body }) => {
    await grants.grant(scope, body);
    return {};
  });
  router.on(rolePreview, ({ scope, body }) => grants.preview(scope, body.roleId, body.menuIds));
  router.on(roleClone, ({ scope, body }) => grants.clone(scope, body));
}
