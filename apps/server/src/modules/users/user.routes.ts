import {
  roleSelect,
  tenantSelect,
  userDetail,
  userGrant,
  userPage,
  userRemove,
  userResetPassword,
  userSubmit,
  userUnlock,
  userUpdate,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { UserService } from "./user.service.ts";

export function userRoutes(router: Router, users: UserService): void {
  router.on(userPage, ({ session, query }) => users.page(session, query));
  router.on(userDetail, ({ session, query }) => users.detail(session, query.id, query.tenantId));
  router.on(userSubmit, ({ session, body }) => users.submit(session, body));
  router.on(userUpdate, async ({ session, body }) => {
    await users.update(session, body);
    return {};
  });
  // Clients of the family send the ids as query or as a form; both are read.
  router.on(userRemove, async ({ session, query, body }) => {
    await users.remove(session, query.ids ?? body.ids, query.tenantId ?? body.tenantId);
    return {};
  });
  router.on(userGrant, async ({ session, query, body }) => {
    const { userIds, roleIds, tenantId } = { ...body, ...query };
    await users.grant(session, userIds, roleIds, tenantId);
    return {};
  });
  router.on(userResetPassword, ({ session, query, body }) =>
    users.resetPasswords(session, query.userIds ?? body.userIds, query.tenantId ?? body.tenantId),
  );
  router.on(userUnlock, async ({ session, query, body }) => {
    await users.unlock(session, query.userIds ?? body.userIds, query.tenantId ?? body.tenantId);
    return {};
  });
  router.on(roleSelect, ({ session, query }) => users.roles(session, query.tenantId));
  router.on(tenantSelect, ({ session, query }) => users.tenants(session, query.tenantName));
}
