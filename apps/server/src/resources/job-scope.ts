import { inTenant, type TenantReach, type TenantScope, tenantScopeOf } from "../tenant-scope.ts";

/** The scope of a job that works on the own tenant's rows alone: the group's staff import into their own, too. */
export const ownScopeOf = (payload: TenantReach): TenantScope => inTenant(tenantScopeOf(payload), payload.tenantId);
