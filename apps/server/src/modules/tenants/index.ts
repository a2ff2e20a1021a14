import { tenantPackages } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { Passwords } from "../identity/index.ts";
import { tenantRepository } from "./tenant.repository.ts";
import { tenantRoutes } from "./tenant.routes.ts";
import { createTenantService } from "./tenant.service.ts";
import { tenantPackageRepository } from "./tenant-package.repository.ts";
import { createTenantPackageService } from "./tenant-package.service.ts";

export interface TenantsModuleDependencies {
  passwords: Pick<Passwords, "hash">;
  groupTenantId: string;
}

export function createTenantsModules(
  context: ResourceContext,
  { passwords, groupTenantId }: TenantsModuleDependencies,
): ServerModule[] {
  const { kysely, inTransaction, personalCipher, nextId } = context.platform;
  const packages = tenantPackageRepository(kysely);
  const withParts = inTransaction((db) => ({
    tenants: tenantRepository(db),
    packages: tenantPackageRepository(db),
    audit: auditRepository(db),
  }));
  const tenants = createTenantService({
    tenants: tenantRepository(kysely),
    packages,
    inTransaction: withParts,
    cipher: personalCipher,
    hashPassword: passwords.hash,
    nextId,
    groupTenantId,
  });
  const packageService = createTenantPackageService({ packages, inTransaction: withParts, nextId });
  return [
    resourceModule(context, tenantPackages, {
      extra: tenantPackageRepository,
      hooks: {
        obstacles: async ({ ids, scope, extra }) =>
          [...(await extra.tenantCounts(scope, ids))].map(([id, count]) => ({
            id,
            resource: "租户",
            count,
            path: `/system/tenant?f.packageId=${id}`,
          })),
      },
    }),
    { routes: (router) => tenantRoutes(router, tenants, packageService) },
  ];
}
