import { tenantScopeOf } from "../../apps/server/src/tenant-scope.ts";

/** The scope of somebody of the group's staff who reaches every tenant's rows: account and membership 10. */
export const staffScope = tenantScopeOf({
  tenantId: "000000",
  everyTenant: true,
  rows: { all: true, departmentIds: [], own: false },
  accountId: "10",
  membershipId: "10",
  departmentId: "",
  remoteAddress: "",
});
