import { inTenant, type TenantReach, type TenantScope, tenantScopeOf } from "../tenant-scope.ts";

/** Scope of a job that works on the caller's own tenant only; the group's staff also import into their own. */
export const ownScopeOf = (payload: TenantReach): TenantScope => inTenant(tenantScopeOf(payload), payload.tenantId);

/** Scope of a job that reaches as far as the person who requested it: for the group's staff, the rows of every tenant. */
export const reachedScopeOf = (payload: TenantReach): TenantScope => tenantScopeOf(payload);
