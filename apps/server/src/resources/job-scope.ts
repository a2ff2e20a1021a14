import { inTenant, type TenantReach, type TenantScope, tenantScopeOf } from "../tenant-scope.ts";

/** The scope of a job that works on the own tenant's rows alone: the group's staff import into their own, too. */
export const ownScopeOf = (payload: TenantReach): TenantScope => inTenant(tenantScopeOf(payload), payload.tenantId);

/** The scope of a job as far as that of whoever asked for it reached: the group's staff, who list the rows of every tenant. */
export const reachedScopeOf = (payload: TenantReach): TenantScope => tenantScopeOf(payload);
