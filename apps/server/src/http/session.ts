import type { TenantType } from "@herdwise/contract";
import type { MemberScope, RowScope } from "../tenant-scope.ts";

/** The caller and their permissions. One object serves several requests, so it must not be changed. */
export interface Session extends MemberScope {
  id: string;
  account: string;
  tenantType: TenantType;
  membershipId: string;
  roleAliases: readonly string[];
  /** Sorted list of `<role>:<version of what it grants>`; callers with the same list see the same menus. */
  grants: readonly string[];
  /** Button codes that the roles grant. */
  permissions: ReadonlySet<string>;
  /** An administrator reset the password, so the session can do nothing else before the person changes it. */
  mustChangePassword: boolean;
  /** Rows that the roles reach within the tenant. */
  rows: RowScope;
  /** Resources in which the roles reach other rows, by the code of their permissions without its ending. */
  rowsOf: ReadonlyMap<string, RowScope>;
  /** Paths that API scopes guard, without `/api`, and whether the roles hold one of them. */
  guardedPaths: ReadonlyMap<string, boolean>;
  /** Department of new rows; "" when the person belongs to none. */
  departmentId: string;
}

/** Ids of the roles in grants. */
export const rolesOf = (grants: readonly string[]): string[] =>
  grants.map((grant) => grant.slice(0, grant.indexOf(":")));

/**
 * Finds the session of an access token; undefined when it is unknown, expired or ended.
 * @param mayBeKept whether a session read less than a second ago is enough, for requests that change nothing; otherwise the
 * database is read
 */
export type Authenticate = (
  accessToken: string,
  options?: { readonly mayBeKept?: boolean },
) => Promise<Session | undefined>;
