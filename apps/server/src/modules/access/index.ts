import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceRepository } from "../../resources/index.ts";
import { memberScope, systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { accessRepository, type HoldersOf } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";
import { createAccessReasonsService } from "./access-reasons.service.ts";
import { accessRowsRepository } from "./access-rows.repository.ts";
import { menuAdminRepository } from "./menu-admin.repository.ts";
import { createMenuAdminService } from "./menu-admin.service.ts";
import { menuModule, topMenuModule } from "./menu-admin.ts";
import { accessRequestModule } from "./requests.ts";
import { createRolePreviewService } from "./role-preview.service.ts";

export type { HoldersOf } from "./access.repository.ts";

export interface AccessModule extends ServerModule {
  readonly holdersOf: HoldersOf;
}

const system = systemScope("a member asks those of the tenant who may give roles");

export function createAccessModule(
  context: ResourceContext,
  identity: Pick<IdentityService, "sessionOfMember" | "openPreview" | "leavePreview">,
): AccessModule {
  const repository = accessRepository(context.platform.kysely);
  const holdersOf: HoldersOf = async (scope, tenantId, buttonCode, db) => {
    // The tenant is what is asked about; the account is nobody's.
    const holders = await (db ? accessRepository(db) : repository).holdersOf(
      memberScope(scope, { accountId: "0", tenantId }),
      buttonCode,
    );
    return [...new Set(holders.map(({ accountId }) => accountId))];
  };
  const requests = accessRequestModule(context, holdersOf, system);
  const { kysely, nextId } = context.platform;
  const topMenus = menuAdminRepository(kysely);
  const access = createAccessService({ repository, topMenus, requests: requests.service });
  const reasons = createAccessReasonsService({
    repository,
    sessionOfMember: identity.sessionOfMember,
    placedRows: accessRowsRepository(kysely),
    rowsOf: (of) => resourceRepository(kysely, of),
  });
  const admin = createMenuAdminService({
    repository: topMenus,
    grantedMenus: repository.grantedMenus,
    inTransaction: context.platform.inTransaction((db) => ({
      menus: menuAdminRepository(db),
      audit: auditRepository(db),
    })),
    nextId,
  });
  const previews = createRolePreviewService({
    repository,
    identity,
    inTransaction: context.platform.inTransaction((db) => auditRepository(db)),
    nextId,
  });
  const menus = menuModule(context);
  const kept = [menus, topMenuModule(context)];
  return {
    holdersOf,
    routes(router, http) {
      accessRoutes(router, { access, admin, reasons, previews, menus: menus.service });
      for (const { routes } of [requests, ...kept]) routes?.(router, http);
    },
    jobs: requests.jobs ?? [],
  };
}
