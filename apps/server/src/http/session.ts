import type { TenantType } from "@herdwise/contract";
import type { MemberScope, RowScope } from "../tenant-scope.ts";

/** Who is calling, read anew from the database on each request, so that a permission taken away is gone at once. */
export interface Session extends MemberScope {
  id: string;
  account: string;
  tenantType: TenantType;
  membershipId: string;
  roleAliases: readonly string[];
  /** Button codes that the roles grant. */
  permissions: ReadonlySet<string>;
  /** An administrator reset the password: until it was changed the session may do nothing else. */
  mustChangePassword: boolean;
  /** What the roles reach within the tenant. */
  rows: RowScope;
  /** Department that new rows count to; "" when the person stands in none. */
  departmentId: string;
}

/** Finds the session of an access token. `undefined`: unknown, expired, or ended. */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;
