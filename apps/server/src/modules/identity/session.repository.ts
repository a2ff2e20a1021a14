import type { DataScope, TenantType } from "@herdwise/contract";
import type { Prepared } from "../../database/connection.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface SessionRow {
  id: string;
  accountId: string;
  account: string;
  tenantId: string;
  tenantType: TenantType;
  membershipId: string;
  roleAliases: string[];
  /** `<role>:<version of what it grants>`, in order. */
  grants: string[];
  mustChangePassword: boolean;
  /** Data scopes of the roles. */
  dataScopes: DataScope[];
  /** Departments that those scopes name or begin at, with those below them where the scope says so. */
  scopeDepartmentIds: string[];
  departmentId: string | null;
}

/** A member without a session, and whether it would be let in. */
export interface MemberRow extends SessionRow {
  membershipStands: boolean;
  accountStands: boolean;
  tenantStands: boolean;
}

/** What must hold of a member for a session to be let in; the explanation of an access asks the same. */
const standing = {
  membership: "m.status = 1",
  account: "a.status = 1",
  tenant: "t.status = 1 and (t.expire_time is null or t.expire_time > now())",
} as const;

const memberColumns = `
           a.id::text as "accountId", a.account, m.tenant_id as "tenantId", t.type as "tenantType",
           m.id::text as "membershipId", a.password_must_change as "mustChangePassword",
           coalesce(held.aliases, '{}') as "roleAliases", coalesce(held.grants, '{}') as "grants",
           coalesce(held.scopes, '{}') as "dataScopes",
           (select md.department_id::text from membership_departments md
             where md.membership_id = m.id order by md.department_id limit 1) as "departmentId",
           -- Evaluated only where a role is limited to departments.
           case when held.scopes && '{department,department-and-below,chosen}'::text[] then coalesce((
             with recursive reached as (
               select md.department_id as id, r.data_scope = 'department-and-below' as deeper
                 from membership_departments md, membership_roles mr join roles r on r.id = mr.role_id
                where md.membership_id = m.id and mr.membership_id = m.id
                  and r.data_scope in ('department', 'department-and-below')
               union
               select rd.department_id, false from membership_roles mr join roles r on r.id = mr.role_id and r.data_scope = 'chosen'
                 join role_departments rd on rd.role_id = r.id where mr.membership_id = m.id
               union
               select d.id, true from departments d join reached on reached.deeper and d.parent_id = reached.id
             ) select array_agg(distinct id::text) from reached), '{}')
           else '{}' end as "scopeDepartmentIds"`;

const memberTables = `
      join accounts a on a.id = m.account_id
      join tenants t on t.tenant_id = m.tenant_id
      cross join lateral (
        select array_agg(r.role_alias order by r.sort) as aliases, array_agg(distinct r.data_scope) as scopes,
               array_agg(r.id || ':' || r.menus_version order by r.id) as grants
          from membership_roles mr join roles r on r.id = mr.role_id where mr.membership_id = m.id) held`;

const byAccessToken = {
  name: "session_by_access_token",
  text: `
    select s.id::text as "id", ${memberColumns}
      from session_tokens k
      join sessions s on s.id = k.session_id
      join memberships m on m.id = s.membership_id ${memberTables}
     where k.token_hash = $1 and k.purpose = 'access' and k.expires_at > now() and s.ended_at is null
       and ${Object.values(standing).join(" and ")}`,
} as const;

const byMember = {
  name: "session_of_member",
  text: `
    select '' as "id", ${standing.membership} as "membershipStands", ${standing.account} as "accountStands",
           ${standing.tenant} as "tenantStands", ${memberColumns}
      from memberships m ${memberTables}
     where m.account_id = $1 and m.tenant_id = $2`,
} as const;

const buttonsOfRoles = {
  name: "buttons_of_roles",
  text: `
    select rm.role_id::text as "roleId", n.code
      from role_menus rm join menus n on n.id = rm.menu_id and n.category = 2 where rm.role_id = any($1::bigint[])`,
} as const;

const scopesOfRoles = {
  name: "scopes_of_roles",
  text: `
    select s.resource_code as "resource", s.scope_type as "type", s.scope_value as "value"
      from role_data_scopes rs join data_scopes s on s.id = rs.data_scope_id where rs.role_id = any($1::bigint[])`,
} as const;

const guardedPaths = {
  name: "paths_of_api_scopes",
  text: `
    select s.scope_path as "path", bool_or(rs.role_id is not null) as "held"
      from api_scopes s left join role_api_scopes rs on rs.api_scope_id = s.id and rs.role_id = any($1::bigint[])
     group by s.scope_path`,
} as const;

const departmentsBelow = {
  name: "departments_of_member",
  text: `
    with recursive reached as (
      select md.department_id as id from membership_departments md where md.membership_id = $1
      union select d.id from departments d join reached on d.parent_id = reached.id
    ) select r.id::text as "id", exists (select from membership_departments own
        where own.membership_id = $1 and own.department_id = r.id) as "own" from reached r`,
} as const;

/** What each request asks before anything else: planned once for each connection. */
export function sessionRepository(prepared: Prepared, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** The session of an access token with its roles as they are now. */
    byAccessToken: async (hash: Buffer): Promise<SessionRow | undefined> =>
      (await prepared<SessionRow>(byAccessToken, [hash]))[0],

    /** What a session of a member would be, and what of it stands. */
    byMember: async (accountId: string, tenantId: string): Promise<MemberRow | undefined> =>
      (await prepared<MemberRow>(byMember, [accountId, tenantId]))[0],

    /** Codes of the buttons that each of these roles grants. */
    buttonsOf: (roleIds: readonly string[]): Promise<{ roleId: string; code: string }[]> =>
      prepared(buttonsOfRoles, [roleIds]),

    /** Data scopes of single resources that these roles hold. */
    dataScopesOf: (roleIds: readonly string[]): Promise<{ resource: string; type: string; value: string }[]> =>
      prepared(scopesOfRoles, [roleIds]),

    /** Paths that API scopes guard, and whether one of these roles holds a scope of it. */
    guardedPaths: (roleIds: readonly string[]): Promise<{ path: string; held: boolean }[]> =>
      prepared(guardedPaths, [roleIds]),

    /** Departments in which a member stands (`own`), and those below them. */
    departmentsOf: (membershipId: string): Promise<{ id: string; own: boolean }[]> =>
      prepared(departmentsBelow, [membershipId]),
  };
}
export type SessionRepository = ReturnType<typeof sessionRepository>;
