/** Whose rows inside a tenant a session's roles reach (the data scope of decisions.md 1). Several roles add up. */
export interface RowScope {
  /** Every row of the tenant. */
  readonly all: boolean;
  /** Rows that were added in these departments. */
  readonly departmentIds: readonly string[];
  /** Rows that the account itself added. */
  readonly own: boolean;
}

/**
 * Which rows of customers a piece of work may reach. Every repository function on such rows takes a scope, and none means all
 * rows by being left out. Scopes are made in this file alone: a copy with other values ({ ...scope, tenantId }) is none, as the
 * compiler leaves protected members out of it. `scripts/repository-scopes.ts` lists who may make one.
 */
class Scope {
  declare protected readonly made: true;
}

/** One account: what belongs to it alone in whatever tenant it acts, such as its messages and preferences. */
class AccountScope extends Scope {
  readonly accountId: string;

  constructor({ accountId }: { accountId: string }) {
    super();
    this.accountId = accountId;
  }
}

/** One account in one tenant: what a member has for itself, such as files and jobs. A session is one. */
class MemberScope extends AccountScope {
  readonly tenantId: string;

  constructor(of: Member) {
    super(of);
    this.tenantId = of.tenantId;
  }
}

/** Rows of a tenant, as far as the member's roles reach. */
class TenantScope extends MemberScope {
  /** Rows of all tenants are reached: the group's staff on operations that declare it. New rows are the own tenant's. */
  readonly everyTenant: boolean;
  readonly rows: RowScope;
  readonly membershipId: string;
  /** Department that new rows count to; "" when the person stands in none. */
  readonly departmentId: string;
  readonly remoteAddress: string;

  constructor(of: TenantReach) {
    super(of);
    this.everyTenant = of.everyTenant;
    this.rows = of.rows;
    this.membershipId = of.membershipId;
    this.departmentId = of.departmentId;
    this.remoteAddress = of.remoteAddress;
  }
}

/** Rows of everybody, for work behind which stands no session: devices, the clock, log-in itself. */
class SystemScope extends Scope {
  /** Why no session limits this work. */
  readonly because: string;

  constructor(because: string) {
    super();
    this.because = because;
  }
}

export type { AccountScope, MemberScope, SystemScope, TenantScope };

interface Member {
  readonly accountId: string;
  readonly tenantId: string;
}

/** What a `TenantScope` is made of; a job carries it as JSON. */
export interface TenantReach extends Member {
  readonly everyTenant: boolean;
  readonly rows: RowScope;
  readonly membershipId: string;
  readonly departmentId: string;
  readonly remoteAddress: string;
}

/** Called by the router with what the session says, and by jobs with what the router gave them. */
export const tenantScopeOf = (of: TenantReach): TenantScope => new TenantScope(of);

/** What a job carries of a scope to make it anew where it runs. */
export const reachOf = (scope: TenantScope): TenantReach => {
  const { tenantId, everyTenant, rows, accountId, membershipId, departmentId, remoteAddress } = scope;
  return { tenantId, everyTenant, rows, accountId, membershipId, departmentId, remoteAddress };
};

/** The same scope limited to one tenant: the group's staff who name one. Anybody else stays in the own. */
export const inTenant = (scope: TenantScope, tenantId: string | undefined): TenantScope => {
  if (!tenantId || (tenantId !== scope.tenantId && !scope.everyTenant)) return scope;
  return new TenantScope({ ...reachOf(scope), tenantId, everyTenant: false });
};

/** The same scope with the rows that the account itself added, for showing somebody what they have just written. */
export const withOwnRows = (scope: TenantScope): TenantScope =>
  new TenantScope({ ...reachOf(scope), rows: { ...scope.rows, own: true } });

/** The same scope with every row of the tenant, for asking whether something is taken, which it is for everybody. */
export const withEveryRow = (scope: TenantScope): TenantScope =>
  new TenantScope({ ...reachOf(scope), rows: { ...scope.rows, all: true } });

/** @param because why no session limits the work, for the reader of the code */
export const systemScope = (because: string): SystemScope => new SystemScope(because);

/** Stops whoever brings something else than a `SystemScope`, past the compiler. */
export function requireSystemScope(scope: SystemScope): void {
  if (!(scope instanceof SystemScope)) throw new Error("work without a session needs a system scope");
}

/** One account, found by work without a session: a log-in that is proven, somebody to be told. */
export function accountScope(scope: SystemScope, accountId: string): AccountScope {
  requireSystemScope(scope);
  return new AccountScope({ accountId });
}

/** One account in one tenant, found by work without a session: an access token, the owner of a job. */
export function memberScope(scope: SystemScope, of: Member): MemberScope {
  requireSystemScope(scope);
  return new MemberScope(of);
}

/** Whether a scope is that of work without a session. */
export const isSystemScope = (scope: object): scope is SystemScope => scope instanceof SystemScope;

/** Whoever stands behind a scope; null for work without a session. */
export const accountOf = (scope: TenantScope | SystemScope): string | null =>
  isSystemScope(scope) ? null : scope.accountId;
