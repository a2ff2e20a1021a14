import { createHash } from "node:crypto";
import { type Authenticate, rolesOf, type Session } from "../../http/session.ts";
import { memberScope, type SystemScope } from "../../tenant-scope.ts";
import type { SessionRepository } from "./session.repository.ts";

/** Sets of roles whose permissions are kept. A portal has tens; the oldest goes when there are more. */
const mostKept = 1000;

/**
 * Permissions of sets of roles. What a role grants is kept as long as its version stays, which each reading of a session brings: a
 * permission taken away is gone with the next one, on every server.
 */
function createPermissions(repository: Pick<SessionRepository, "buttonsOf">) {
  const kept = new Map<string, ReadonlySet<string>>();
  return async (grants: readonly string[]): Promise<ReadonlySet<string>> => {
    const key = grants.join();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const rows = await repository.buttonsOf(rolesOf(grants));
    const permissions = new Set(rows.map(({ code }) => code));
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, permissions);
    return permissions;
  };
}

/** Sessions that are kept at a time; the oldest goes when there are more. */
const mostSessions = 10_000;

export interface SessionReader {
  readonly authenticate: Authenticate;
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

  const read = async (accessToken: string): Promise<Session | undefined> => {
    const row = await repository.byAccessToken(createHash("sha256").update(accessToken).digest());
    if (row === undefined) return undefined;
    const { dataScopes, scopeDepartmentIds, departmentId, ...session } = row;
    return Object.assign(memberScope(proven, row), {
      ...session,
      permissions: await permissionsOf(row.grants),
      departmentId: departmentId ?? "",
      rows: {
        all: dataScopes.includes("all"),
        departmentIds: scopeDepartmentIds,
        own: dataScopes.some((scope) => scope !== "all"),
      },
    });
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
    forget: () => kept.clear(),
  };
}
