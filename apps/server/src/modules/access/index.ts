import { roleGrantCode } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { tellBy } from "../../processes/index.ts";
import { memberScope, type SystemScope, systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { addMenuToRole } from "../organization/index.ts";
import { accessRepository } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";
import { requestRepository } from "./request.repository.ts";
import { createRequestService } from "./request.service.ts";

/** Accounts of a tenant's members whose roles hold a button, by its code. @param scope why they are looked for */
export type HoldersOf = (scope: SystemScope, tenantId: string, buttonCode: string) => Promise<readonly string[]>;

export interface AccessModule extends ServerModule {
  readonly holdersOf: HoldersOf;
}

const receivers = systemScope("a member asks those of the tenant who may give roles");

export function createAccessModule(
  { kysely, inTransaction, nextId, now, store }: Platform,
  { groupTenantId }: { groupTenantId: string },
): AccessModule {
  const repository = accessRepository(kysely);
  const holdersOf: HoldersOf = async (scope, tenantId, buttonCode) => {
    // The tenant is what is asked about; the account is nobody's.
    const holders = await repository.holdersOf(memberScope(scope, { accountId: "0", tenantId }), buttonCode);
    return [...new Set(holders.map(({ accountId }) => accountId))];
  };
  const requests = createRequestService({
    requests: requestRepository(kysely),
    inOne: inTransaction((db) => ({
      requests: requestRepository(db),
      audit: auditRepository(db),
      tell: tellBy(messageRepository(db), { scope: receivers, kind: "system", nextId }),
      addMenu: addMenuToRole(db, nextId),
    })),
    scope: receivers,
    grantersOf: (tenantId) => holdersOf(receivers, tenantId, roleGrantCode),
    linkOf: (tenantId) => (tenantId === groupTenantId ? "/system/accessRequest" : "/selfCenter/accessRequest"),
    nextId,
    now,
    store,
  });
  const access = createAccessService({ repository, requests });
  return {
    holdersOf,
    routes: (router) => accessRoutes(router, access, requests),
  };
}
