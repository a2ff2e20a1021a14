import {
  roleSelect,
  tenantInfo,
  tenantSelect,
  userDetail,
  userGrant,
  userList,
  userPage,
  userRemove,
  userResetPassword,
  userSubmit,
  userUnlock,
  userUpdate,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import { inTenant } from "../../tenant-scope.ts";
import type { UserService } from "./user.service.ts";

/** @param requireConfirmed refuses a session whose person did not prove lately who they are */
export function userRoutes(
  router: Router,
  users: UserService,
  requireConfirmed: (session: Session) => Promise<void>,
): void {
  router.on(userPage, ({ scope, query }) => users.page(scope, query));
  router.on(userList, ({ scope, query: { account, realName, ...query } }) =>
    users.page(scope, { ...query, accountPart: account, realNamePart: realName }),
  );
  router.on(tenantInfo, async () => ({}));
  router.on(userDetail, ({ scope, query }) => users.detail(scope, query.id, query.tenantId));
  router.on(userSubmit, ({ session, scope, body }) => users.submit(scope, body, () => requireConfirmed(session)));
  router.on(userUpdate, ({ session, scope, body }) => users.update(scope, body, () => requireConfirmed(session)));
  // Clients of the family send the ids as query or as a form; both are read.
  router.on(userRemove, async ({ scope, query, body }) => {
    await users.remove(scope, query.ids ?? body.ids, query.tenantId ?? body.tenantId);
    return {};
  });
  router.on(userGrant, async ({ scope, query, body }) => {
    const { userIds, roleIds, tenantId } = { ...body, ...query };
    await users.grant(scope, userIds, roleIds, tenantId);
    return {};
  });
  router.on(userResetPassword, ({ scope, query, body }) =>
    users.resetPasswords(scope, query.userIds ?? body.userIds, query.tenantId ?? body.tenantId),
  );
  router.on(userUnlock, async ({ scope, query, body }) => {
    await users.unlock(scope, query.userIds ?? body.userIds, query.tenantId ?? body.tenantId);
    return {};
  });
  router.on(roleSelect, ({ scope, query }) => users.roles(scope, query.tenantId));
  // Who sees no users has no business with the names of other tenants.
  router.on(tenantSelect, ({ session, scope, query }) =>
    users.tenants(session.permissions.has("user_view") ? scope : inTenant(scope, scope.tenantId), query.tenantName),
  );
}
