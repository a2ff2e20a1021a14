import { createHash } from "node:crypto";
import { isId } from "@herdwise/contract";
import { type Authenticate, reachText, rolesOf, type Session } from "../../http/session.ts";
import { memberScope, type RowScope, type SystemScope } from "../../tenant-scope.ts";
import type { SessionRepository, SessionRow } from "./session.repository.ts";

/** Sets of roles whose permissions are kept. A portal has tens; the oldest goes when there are more. */
const mostKept = 1000;

/** What a set of roles grants. */
interface Granted {
  permissions: ReadonlySet<string>;
  dataScopes: readonly { resource: string; type: string; value: string }[];
  guardedPaths: ReadonlyMap<string, boolean>;
}

/** Values of the dictionary `data_scope_type`. */
const scopeTypes = { all: "1", own: "2", department: "3", departmentAndBelow: "4", chosen: "5" } as const;

/** Rows that the data scopes of a resource reach together. @param departments in which the member stands, and those below */
function reachOf(
  scopes: readonly { type: string; value: string }[],
  departments: readonly { id: string; own: boolean }[],
): RowScope {
  const departmentIds = new Set<string>();
  for (const { type, value } of scopes) {
    if (type === scopeTypes.chosen) for (const id of value.split(",").filter(isId)) departmentIds.add(id);
    if (type === scopeTypes.department || type === scopeTypes.departmentAndBelow)
      for (const { id, own } of departments) if (own || type === scopeTypes.departmentAndBelow) departmentIds.add(id);
  }
  return {
    all: scopes.some(({ type }) => type === scopeTypes.all),
    departmentIds: [...departmentIds],
    own: true,
  };
}

/** Rows that both reach; where neither reaches all, at most those. */
function bothReach(a: RowScope, b: RowScope): RowScope {
  if (a.all) return b;
  if (b.all) return a;
  return {
    all: false,
    departmentIds: a.departmentIds.filter((id) => b.departmentIds.includes(id)),
    own: a.own && b.own,
  };
}

/** What a person and a role that they look through both may. @param asRole what somebody with this role alone could */
function narrowed(person: Session, asRole: Session, preview: Session["preview"]): Session {
  const resources = new Set([...person.rowsOf.keys(), ...asRole.rowsOf.keys()]);
  const rowsIn = ({ rowsOf, rows }: Session, resource: string): RowScope => rowsOf.get(resource) ?? rows;
  return Object.assign(person, {
    preview,
    grants: asRole.grants,
    roleAliases: asRole.roleAliases.filter((alias) => person.roleAliases.includes(alias)),
    permissions: new Set([...person.permissions].filter((code) => asRole.permissions.has(code))),
    rows: bothReach(person.rows, asRole.rows),
    rowsOf: new Map(
      [...resources].map((resource) => [resource, bothReach(rowsIn(person, resource), rowsIn(asRole, resource))]),
    ),
    guardedPaths: new Map(
      [...person.guardedPaths].map(([path, held]) => [path, held && asRole.guardedPaths.get(path) !== false]),
    ),
  });
}

/**
 * Permissions of sets of roles. What a role grants is kept as long as its version stays, which each reading of a session brings: a
 * permission taken away is gone with the next one, on every server.
 */
function createPermissions(repository: Pick<SessionRepository, "buttonsOf" | "dataScopesOf" | "guardedPaths">) {
  const kept = new Map<string, Granted>();
  return async (grants: readonly string[]): Promise<Granted> => {
    const key = grants.join();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const roleIds = rolesOf(grants);
    const rows = await repository.buttonsOf(roleIds);
    const guarded = await repository.guardedPaths(roleIds);
    const granted = {
      permissions: new Set(rows.map(({ code }) => code)),
      dataScopes: await repository.dataScopesOf(roleIds),
      guardedPaths: new Map(guarded.map(({ path, held }) => [path.replace(/^\/api(?=\/)/, ""), held])),
    };
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, granted);
    return granted;
  };
}

/** Sessions that are kept at a time; the oldest goes when there are more. */
const mostSessions = 10_000;

export interface SessionReader {
  readonly authenticate: Authenticate;
  /** The session that a personal access token stands for, read anew at each call. @param hash of the token */
  byPersonalToken(hash: Buffer): Promise<Session | undefined>;
  /** What a session of a member would be, made as for a token, and whether it would be let in; undefined for no member. */
  ofMember(
    accountId: string,
    tenantId: string,
  ): Promise<{ session: Session; stands: { account: boolean; membership: boolean; tenant: boolean } } | undefined>;
  /** Those of the sessions that may go on, each with its `reachText`. @param lifetimeS seconds after the log-in at which a session ends */
  active(sessionIds: readonly string[], lifetimeS: number): Promise<ReadonlyMap<string, string>>;
  /**
   * Those of the sessions that may go on, each with a text that is another one whenever its `reachText` is: one statement for all.
   * @param lifetimeS as of `active`
   */
  versions(sessionIds: readonly string[], lifetimeS: number): Promise<ReadonlyMap<string, string>>;
  /** Nothing that was read before counts any more. */
  forget(): void;
}

/**
 * Finds sessions by their access tokens.
 * @param keptMs how long what was read serves reading requests, from the moment at which it was asked for; 0 keeps nothing
 * @param now a clock that only goes forward, ms
 */
export function createSessionReader(
  repository: SessionRepository,
  proven: SystemScope,
  { keptMs, now = () => performance.now() }: { keptMs: number; now?: () => number },
): SessionReader {
  const permissionsOf = createPermissions(repository);
  /** Answers by token, the oldest first; of requests that come together one asks. */
  const kept = new Map<string, { askedMs: number; session: Promise<Session | undefined> }>();

  const memberOf = async (row: SessionRow): Promise<Session> => {
    const { dataScopes, scopeDepartmentIds, departmentId, previewRoleId: _role, previewOf: _of, ...session } = row;
    const { permissions, dataScopes: ofResources, guardedPaths } = await permissionsOf(row.grants);
    const byResource = Map.groupBy(ofResources, ({ resource }) => resource);
    const needsDepartments = ofResources.some(
      ({ type }) => type === scopeTypes.department || type === scopeTypes.departmentAndBelow,
    );
    const departments = needsDepartments ? await repository.departmentsOf(row.membershipId) : [];
    return Object.assign(memberScope(proven, row), {
      ...session,
      permissions,
      rowsOf: new Map([...byResource].map(([resource, scopes]) => [resource, reachOf(scopes, departments)])),
      guardedPaths,
      departmentId: departmentId ?? "",
      rows: {
        all: dataScopes.includes("all"),
        departmentIds: scopeDepartmentIds,
        own: dataScopes.some((scope) => scope !== "all"),
      },
    });
  };

  /** @returns undefined for a preview of a role that is gone */
  const sessionOf = async (row: SessionRow): Promise<Session | undefined> => {
    const { previewRoleId, previewOf } = row;
    if (previewRoleId === null || previewOf === null) return memberOf(row);
    const role = await repository.ofRole(row.membershipId, previewRoleId);
    if (role === undefined) return undefined;
    const { roleName, ...held } = role;
    const [person, asRole] = await Promise.all([memberOf(row), memberOf({ ...row, ...held })]);
    return narrowed(person, asRole, {
      roleId: previewRoleId,
      roleName,
      sessionId: previewOf,
      ownGrants: person.grants,
    });
  };

  const read = async (accessToken: string): Promise<Session | undefined> => {
    const row = await repository.byAccessToken(createHash("sha256").update(accessToken).digest());
    return row && sessionOf(row);
  };

  const dropOld = (atMs: number): void => {
    for (const [token, { askedMs }] of kept) {
      if (atMs - askedMs < keptMs && kept.size < mostSessions) return;
      kept.delete(token);
    }
  };

  return {
    authenticate(accessToken, { mayBeKept = false } = {}) {
      if (!mayBeKept || keptMs === 0) return read(accessToken);
      const askedMs = now();
      dropOld(askedMs);
      const held = kept.get(accessToken);
      if (held !== undefined) return held.session;
      const entry = { askedMs, session: read(accessToken) };
      kept.set(accessToken, entry);
      const drop = (): void => {
        if (kept.get(accessToken) === entry) kept.delete(accessToken);
      };
      // Who is unknown, or could not be asked for, is asked for again.
      entry.session.then((session) => session === undefined && drop(), drop);
      return entry.session;
    },
    async byPersonalToken(hash) {
      const row = await repository.byPersonalToken(hash);
      if (row === undefined) return undefined;
      const { tokenScopes, ...member } = row;
      return Object.assign(await memberOf(member), { tokenScopes: new Set(tokenScopes) });
    },
    async ofMember(accountId, tenantId) {
      const row = await repository.byMember(accountId, tenantId);
      if (row === undefined) return undefined;
      const { membershipStands, accountStands, tenantStands, ...member } = row;
      return {
        session: await memberOf(member),
        stands: { account: accountStands, membership: membershipStands, tenant: tenantStands },
      };
    },
    async active(sessionIds, lifetimeS) {
      const rows = sessionIds.length === 0 ? [] : await repository.active(sessionIds, lifetimeS);
      const read = await Promise.all(rows.map(sessionOf));
      return new Map(read.flatMap((session) => (session ? [[session.id, reachText(session)]] : [])));
    },
    async versions(sessionIds, lifetimeS) {
      const rows = sessionIds.length === 0 ? [] : await repository.versions(sessionIds, lifetimeS);
      return new Map(rows.map(({ id, version }) => [id, version]));
    },
    forget: () => kept.clear(),
  };
}
