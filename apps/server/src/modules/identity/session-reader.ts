import { createHash } from "node:crypto";
import type { Authenticate } from "../../http/session.ts";
import { memberScope, type SystemScope } from "../../tenant-scope.ts";
import type { SessionRepository } from "./session.repository.ts";

/** Sets of roles whose permissions are kept. A portal has tens; the oldest goes when there are more. */
const mostKept = 1000;

/**
 * Permissions of sets of roles. What a role grants is kept as long as its version stays, which each request reads anew: a
 * permission taken away is gone with the next request, on every server.
 */
function createPermissions(repository: Pick<SessionRepository, "buttonsOf">) {
  const kept = new Map<string, ReadonlySet<string>>();
  return async (grants: readonly string[]): Promise<ReadonlySet<string>> => {
    const key = grants.join();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const rows = await repository.buttonsOf(grants.map((grant) => grant.slice(0, grant.indexOf(":"))));
    const permissions = new Set(rows.map(({ code }) => code));
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, permissions);
    return permissions;
  };
}

/** Finds sessions by their access tokens. */
export function createSessionReader(repository: SessionRepository, proven: SystemScope): Authenticate {
  const permissionsOf = createPermissions(repository);
  return async (accessToken) => {
    const row = await repository.byAccessToken(createHash("sha256").update(accessToken).digest());
    if (row === undefined) return undefined;
    const { dataScopes, scopeDepartmentIds, departmentId, grants, ...session } = row;
    return Object.assign(memberScope(proven, row), {
      ...session,
      permissions: await permissionsOf(grants),
      departmentId: departmentId ?? "",
      rows: {
        all: dataScopes.includes("all"),
        departmentIds: scopeDepartmentIds,
        own: dataScopes.some((scope) => scope !== "all"),
      },
    });
  };
}
