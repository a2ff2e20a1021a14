import { type Endpoint, tokenScopeOf, wireMessage } from "@herdwise/contract";
import { type TenantScope, tenantScopeOf } from "../tenant-scope.ts";
import { refuse, Unauthenticated } from "./errors.ts";
import type { Session } from "./session.ts";

/** What a call must pass before it is served, in this order. */
type AccessStep = "session" | "token" | "preview" | "password" | "button" | "path" | "owner";

/** A step that a session does not pass, with the refusal of a call. */
export interface Blocked {
  readonly step: AccessStep;
  readonly refusal: () => Error;
}

/** Resource of an operation: the code of its permission without what it permits. */
export const resourceOf = (endpoint: Pick<Endpoint, "access"> | undefined): string =>
  endpoint?.access.level === "permission" ? endpoint.access.code.replace(/_[a-z]+$/, "") : "";

/** Whether a preview of a role may call an operation: those that are declared to read, whatever their method. */
const readsOnly = ({ method, rate, allowedInPreview }: Endpoint): boolean =>
  allowedInPreview === true || rate === "read" || (method === "GET" && rate !== "write");

/** Every step at which an endpoint's access and owner hold a session up; none for who is let in. */
export function blockedAt(endpoint: Endpoint, session: Session | undefined, tokenSent = true): Blocked[] {
  const { access } = endpoint;
  if (access.level === "public") return [];
  if (session === undefined) {
    const text = tokenSent ? wireMessage.unauthorized : wireMessage.tokenMissing;
    return [{ step: "session", refusal: () => new Unauthenticated(text) }];
  }
  const blocked: Blocked[] = [];
  if (session.tokenScopes !== undefined) {
    const scope = tokenScopeOf(endpoint);
    if (scope === undefined) blocked.push({ step: "token", refusal: () => refuse("token.closed") });
    else if (!session.tokenScopes.has(scope))
      blocked.push({ step: "token", refusal: () => refuse("token.scope", { values: { scope }, more: { scope } }) });
  }
  if (session.preview !== undefined && !readsOnly(endpoint))
    blocked.push({ step: "preview", refusal: () => refuse("preview.read_only") });
  if (session.mustChangePassword && endpoint.beforePasswordChange !== true) {
    // The product's client shows no toast for 412, so the page asks for the password instead.
    blocked.push({ step: "password", refusal: () => refuse("session.must_change_password") });
  }
  if (access.level === "permission" && !session.permissions.has(access.code)) {
    blocked.push({
      step: "button",
      refusal: () => refuse("permission.missing", { more: { permission: access.code } }),
    });
  }
  // An API scope closes a path to roles that do not hold it, whatever they are permitted.
  for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
    if (session.guardedPaths.get(path.slice("/api".length)) === false)
      blocked.push({ step: "path", refusal: () => refuse("scope.path_closed") });
  if (endpoint.owner === "group" && session.tenantType !== "group")
    blocked.push({ step: "owner", refusal: () => refuse("owner.group") });
  return blocked;
}

/** @throws {Refusal | Unauthenticated} unless the endpoint's access and owner let this session in */
export function requireAccess(endpoint: Endpoint, session: Session | undefined, tokenSent: boolean): void {
  const [first] = blockedAt(endpoint, session, tokenSent);
  if (first !== undefined) throw first.refusal();
}

/** The rows that an operation on rows of tenants may reach for a session; undefined for other operations. */
export function scopeOfCall(
  endpoint: Endpoint | undefined,
  session: Session | undefined,
  remoteAddress: string,
): TenantScope | undefined {
  const owner = endpoint?.owner;
  if (session === undefined || (owner !== "tenant" && owner !== "tenants" && owner !== "group")) return undefined;
  return tenantScopeOf({
    tenantId: session.tenantId,
    everyTenant: owner !== "tenant" && session.tenantType === "group",
    rows: session.rowsOf.get(resourceOf(endpoint)) ?? session.rows,
    accountId: session.accountId,
    membershipId: session.membershipId,
    departmentId: session.departmentId,
    remoteAddress,
  });
}
