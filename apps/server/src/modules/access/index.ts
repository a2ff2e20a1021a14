import type { ServerModule } from "../../module.ts";
import type { ResourceContext } from "../../resources/index.ts";
import { memberScope, type SystemScope, systemScope } from "../../tenant-scope.ts";
import { accessRepository } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";
import { accessRequestModule } from "./requests.ts";

/** Accounts of a tenant's members whose roles hold a button, by its code. @param scope why they are looked for */
export type HoldersOf = (scope: SystemScope, tenantId: string, buttonCode: string) => Promise<readonly string[]>;

export interface AccessModule extends ServerModule {
  readonly holdersOf: HoldersOf;
}

const system = systemScope("a member asks those of the tenant who may give roles");

export function createAccessModule(context: ResourceContext): AccessModule {
  const repository = accessRepository(context.platform.kysely);
  const requests = accessRequestModule(context, system);
  const access = createAccessService({ repository, requests: requests.service });
  return {
    async holdersOf(scope, tenantId, buttonCode) {
      // The tenant is what is asked about; the account is nobody's.
      const holders = await repository.holdersOf(memberScope(scope, { accountId: "0", tenantId }), buttonCode);
      return [...new Set(holders.map(({ accountId }) => accountId))];
    },
    routes(router, http) {
      accessRoutes(router, access);
      requests.routes?.(router, http);
    },
    jobs: requests.jobs ?? [],
  };
}
