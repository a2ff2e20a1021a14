import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "../audit/index.ts";
import type { Passwords } from "../identity/index.ts";
import { tenantRepository } from "./tenant.repository.ts";
import { tenantRoutes } from "./tenant.routes.ts";
import { createTenantService } from "./tenant.service.ts";

export interface TenantsModuleDependencies {
  passwords: Pick<Passwords, "hash">;
  groupTenantId: string;
}

export function createTenantsModule(
  { kysely, inTransaction, personalCipher, nextId }: Platform,
  { passwords, groupTenantId }: TenantsModuleDependencies,
): ServerModule {
  const tenants = createTenantService({
    tenants: tenantRepository(kysely),
    inTransaction: inTransaction((db) => ({ tenants: tenantRepository(db), audit: auditRepository(db) })),
    cipher: personalCipher,
    hashPassword: passwords.hash,
    nextId,
    groupTenantId,
  });
  return { routes: (router) => tenantRoutes(router, tenants) };
}
