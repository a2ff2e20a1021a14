import type { TenantType } from "@herdwise/contract";
import type { MemberScope, RowScope } from "../tenant-scope.ts";

/** Who is calling, and what they may do. One object serves several requests: nobody writes into it. */
export interface Session extends MemberScope {
  id: string;
  account: string;
  tenantType: TenantType;
  membershipId: string;
  roleAliases: readonly string[];
  /** `<role>:<version of what it grants>`, in order: with the same ones everybody may see the same menus. */
  grants: readonly string[];
  /** Button codes that the roles grant. */
  permissions: ReadonlySet<string>;
  /** An administrator reset the password: until it was changed the session may do nothing else. */
  mustChangePassword: boolean;
  /** What the roles reach within the tenant. */
  rows: RowScope;
  /** Department that new rows count to; "" when the person stands in none. */
  departmentId: string;
}

/** Ids of the roles that grants are of. */
export const rolesOf = (grants: readonly string[]): string[] =>
  grants.map((grant) => grant.slice(0, grant.indexOf(":")));

/**
 * Finds the session of an access token. `undefined`: unknown, expired, or ended.
 * @param mayBeKept whether what was read less than a second ago will do, for requests that change nothing; else the database is asked
 */
export type Authenticate = (
  accessToken: string,
  options?: { readonly mayBeKept?: boolean },
) => Promise<Session | undefined>;
