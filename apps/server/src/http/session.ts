import { createHash } from "node:crypto";
import type { TenantType, TokenScope } from "@herdwise/contract";
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
  /** Present while the session looks through a role: it then changes nothing. */
  preview?: RolePreview | undefined;
  /** Present where a personal access token calls: the operations of these scopes alone are open to it. */
  tokenScopes?: ReadonlySet<TokenScope> | undefined;
}

/** A role that somebody looks through; the session has what the role and the person's own roles both reach. */
interface RolePreview {
  readonly roleId: string;
  readonly roleName: string;
  /** The session that opened the preview, without which there is none. */
  readonly sessionId: string;
  /** What the person's own roles grant, as in `Session.grants`. */
  readonly ownGrants: readonly string[];
}

const sortedScope = ({ all, departmentIds, own }: RowScope) => [all, own, departmentIds.toSorted()];

/** What decides which rows a session reaches. */
export type SessionReach = Pick<Session, "id" | "grants" | "rows" | "rowsOf" | "preview">;

/** A text that is another one as soon as the session reaches other rows or its roles grant something else. */
export const reachText = ({ grants, rows, rowsOf, preview }: SessionReach): string =>
  JSON.stringify([
    grants,
    preview?.ownGrants,
    sortedScope(rows),
    [...rowsOf].map(([resource, scope]) => [resource, sortedScope(scope)]).toSorted(),
  ]);

const accessVersions = new WeakMap<Session, string>();
/** Short name of what the roles of a session grant. */
export function accessVersionOf(session: Session): string {
  const known = accessVersions.get(session);
  if (known !== undefined) return known;
  const granted = JSON.stringify([session.grants, session.preview?.ownGrants]);
  const version = createHash("sha256").update(granted).digest("base64url").slice(0, 12);
  accessVersions.set(session, version);
  return version;
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

/**
 * Finds the session that a personal access token stands for, with the roles of its person as they are now; undefined when it is
 * unknown, expired or ended.
 * @param remoteAddress of the caller, noted as that of the last use
 */
export type AuthenticateToken = (token: string, remoteAddress: string) => Promise<Session | undefined>;
