import {
  importEndpointsOf,
  roleSelect,
  tenantSelect,
  userChoices,
  userDetail,
  userExport,
  userExportRows,
  userFirstPasswords,
  userGrant,
  userImport,
  userList,
  userPage,
  userPlatformDetail,
  userRegisterGuest,
  userRemove,
  userResetPassword,
  userSearch,
  userSheet,
  userStatus,
  userSubmit,
  userTemplate,
  userUnlock,
  userUpdate,
  userUpdatePlatform,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import { type createImportService, importRoutes } from "../../resources/index.ts";
import { inTenant } from "../../tenant-scope.ts";
import type { FirstPasswords } from "./first-passwords.ts";
import type { UserService } from "./user.service.ts";
import type { UserExport } from "./user-export.service.ts";
import type { UserSheetService } from "./user-sheet.service.ts";

/** Users that a list without pages has at most. */
const mostChoices = 500;
const maxSheetBytes = 20 * 1024 * 1024;

/** Account and name by a part of them, or by all of it with `_equal`. */
const suffixedFilter = (query: {
  account?: string | undefined;
  account_equal?: string | undefined;
  account_like?: string | undefined;
  realName?: string | undefined;
  realName_equal?: string | undefined;
  realName_like?: string | undefined;
  name?: string | undefined;
  name_like?: string | undefined;
}) => {
  const word = query.name_like || query.name;
  return {
    account: query.account_equal,
    realName: query.realName_equal,
    accountPart: query.account_like || query.account,
    realNamePart: query.realName_like || query.realName,
    ...(word && { keyword: word }),
  };
};

/** @param requireConfirmed refuses a session whose person did not prove lately who they are */
export function userRoutes(
  router: Router,
  users: UserService,
  {
    sheets,
    imports,
    firstPasswords,
    exports,
  }: {
    /** Imports and exports in one call, as clients of the family know them. */
    sheets: UserSheetService;
    imports: ReturnType<typeof createImportService>;
    firstPasswords: FirstPasswords;
    exports: UserExport;
  },
  requireConfirmed: (session: Session) => Promise<void>,
): void {
  router.on(userPage, ({ scope, query }) => users.page(scope, query));
  router.on(userList, ({ scope, query }) => users.page(scope, { ...query, ...suffixedFilter(query) }));
  router.on(
    userChoices,
    async ({ scope, query }) => (await users.all(scope, { ...query, ...suffixedFilter(query) }, mostChoices)).users,
  );
  router.on(userSearch, ({ scope, query: { name, ...query } }) => users.page(scope, { ...query, keyword: name }));
  router.on(userUpdatePlatform, async ({ scope, query, body }) => {
    await users.setPlatform(scope, { ...body, ...query });
    return {};
  });
  router.on(userPlatformDetail, ({ scope, query }) => users.detail(scope, query.id, query.tenantId));
  router.on(userRegisterGuest, async () => {
    throw refuse("users.guest");
  });
  router.file(userExport, ({ scope, query }) => sheets.export(scope, query));
  router.file(userTemplate, () => sheets.template());
  router.upload(userImport, maxSheetBytes, ({ scope, query }, file) =>
    sheets.import(scope, file, query.isCovered === 1),
  );
  importRoutes(router, importEndpointsOf(userSheet), imports);
  router.on(userFirstPasswords, ({ scope, body }) => firstPasswords.begin(scope, body.importId));
  router.on(userExportRows, ({ scope, body }) => exports.export(scope, body));
  router.on(userDetail, ({ scope, query }) => users.detail(scope, query.id, query.tenantId));
  router.on(userSubmit, ({ session, scope, body }) => users.submit(scope, body, () => requireConfirmed(session)));
  router.on(userUpdate, ({ session, scope, body }) => users.update(scope, body, () => requireConfirmed(session)));
  router.on(userStatus, ({ session, scope, body }) => users.setStatus(scope, body, () => requireConfirmed(session)));
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
