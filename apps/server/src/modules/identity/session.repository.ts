import type { DataScope, TenantType, TokenScope } from "@herdwise/contract";
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
  /** The role that the session looks through, and the session that opened the preview; null for other sessions. */
  previewRoleId: string | null;
  previewOf: string | null;
}

/** What one role would give a member who held it alone. */
export type RoleRow = Pick<SessionRow, "roleAliases" | "grants" | "dataScopes" | "scopeDepartmentIds"> & {
  roleName: string;
};

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

/** Where the roles `r` of a member `m` come from. */
interface RoleSource {
  readonly from: string;
  readonly where: string;
}
const heldRoles: RoleSource = {
  from: "membership_roles mr join roles r on r.id = mr.role_id",
  where: "mr.membership_id = m.id",
};
const oneRole: RoleSource = { from: "roles r", where: "r.id = $2 and r.tenant_id = m.tenant_id" };

/** Departments that the data scopes of roles reach, read only where a role is limited to some: needs `m` and `held`. */
const scopeDepartments = ({ from, where }: RoleSource) => `
           case when held.scopes && '{department,department-and-below,chosen}'::text[] then coalesce((
             with recursive reached as (
               select md.department_id as id, r.data_scope = 'department-and-below' as deeper
                 from membership_departments md, ${from}
                where md.membership_id = m.id and ${where}
                  and r.data_scope in ('department', 'department-and-below')
               union
               select rd.department_id, false from ${from}
                 join role_departments rd on rd.role_id = r.id where ${where} and r.data_scope = 'chosen'
               union
               select d.id, true from departments d join reached on reached.deeper and d.parent_id = reached.id
             ) select array_agg(distinct id::text) from reached), '{}')
           else '{}' end`;

/** What roles give a member: needs `m`, and `held` of `rolesHeld`. */
const roleColumns = (source: RoleSource) => `
           coalesce(held.aliases, '{}') as "roleAliases", coalesce(held.grants, '{}') as "grants",
           coalesce(held.scopes, '{}') as "dataScopes", ${scopeDepartments(source)} as "scopeDepartmentIds"`;

const rolesHeld = ({ from, where }: RoleSource) => `
      cross join lateral (
        select array_agg(r.role_alias order by r.sort) as aliases, array_agg(distinct r.data_scope) as scopes,
               array_agg(r.id || ':' || r.menus_version order by r.id) as grants
          from ${from} where ${where}) held`;

const memberColumns = `
           a.id::text as "accountId", a.account, m.tenant_id as "tenantId", t.type as "tenantType",
           m.id::text as "membershipId", a.password_must_change as "mustChangePassword",
           (select md.department_id::text from membership_departments md
             where md.membership_id = m.id order by md.department_id limit 1) as "departmentId",
           ${roleColumns(heldRoles)}`;

const memberTables = `
      join accounts a on a.id = m.account_id
      join tenants t on t.tenant_id = m.tenant_id ${rolesHeld(heldRoles)}`;

const sessionColumns = `
           s.id::text as "id", s.preview_role_id::text as "previewRoleId", s.preview_of::text as "previewOf", ${memberColumns}`;

/** A preview ends with the session that opened it. */
const goesOn = `s.ended_at is null and (s.preview_of is null
       or exists (select from sessions opener where opener.id = s.preview_of and opener.ended_at is null))`;

const byAccessToken = {
  name: "session_by_access_token",
  text: `
    select ${sessionColumns}
      from session_tokens k
      join sessions s on s.id = k.session_id
      join memberships m on m.id = s.membership_id ${memberTables}
     where k.token_hash = $1 and k.purpose = 'access' and k.expires_at > now() and ${goesOn}
       and ${Object.values(standing).join(" and ")}`,
} as const;

/** With the token's own id in place of a session's: no session has it. */
const byPersonalToken = {
  name: "session_by_personal_token",
  text: `
    select k.id::text as "id", null as "previewRoleId", null as "previewOf", ${memberColumns}, k.scopes as "tokenScopes"
      from personal_tokens k
      join memberships m on m.id = k.membership_id ${memberTables}
     where k.token_hash = $1 and k.ended_at is null and k.expires_at > now() and ${Object.values(standing).join(" and ")}`,
} as const;

/** @param $2 seconds after the log-in at which a session ends */
const active = {
  name: "active_sessions",
  text: `
    select ${sessionColumns}
      from sessions s
      join memberships m on m.id = s.membership_id ${memberTables}
     where s.id = any($1::bigint[]) and ${goesOn} and s.authenticated_at > now() - make_interval(secs => $2)
       and ${Object.values(standing).join(" and ")}`,
} as const;

/** The role that a session `s` looks through. */
const previewRole: RoleSource = { from: "roles r", where: "r.id = s.preview_role_id and r.tenant_id = m.tenant_id" };

/** @param $2 seconds after the log-in at which a session ends */
const versions = {
  name: "versions_of_sessions",
  text: `
    select s.id::text as "id", md5(jsonb_build_array(held.grants, held.scopes, ${scopeDepartments(heldRoles)}, preview.version,
           -- Departments count, too, where a role limits single resources to those of the member (3) or those below (4).
           case when exists (
             select from role_data_scopes rs join data_scopes ds on ds.id = rs.data_scope_id and ds.scope_type in ('3', '4')
              where rs.role_id = s.preview_role_id
                 or rs.role_id in (select mr.role_id from membership_roles mr where mr.membership_id = m.id)
           ) then (
             with recursive reached as (
               select md.department_id as id, true as own from membership_departments md where md.membership_id = m.id
               union select d.id, false from departments d join reached on d.parent_id = reached.id
             ) select array_agg(distinct id || ':' || own) from reached) end)::text) as "version"
      from sessions s
      join memberships m on m.id = s.membership_id ${memberTables}
      left join lateral (
        select jsonb_build_array(held.grants, held.scopes, ${scopeDepartments(previewRole)}) as version
          from (values (1)) one ${rolesHeld(previewRole)}) preview on s.preview_role_id is not null
     where s.id = any($1::bigint[]) and ${goesOn} and s.authenticated_at > now() - make_interval(secs => $2)
       and ${Object.values(standing).join(" and ")}`,
} as const;

const ofRole = {
  name: "member_with_one_role",
  text: `
    select r.role_name as "roleName", ${roleColumns(oneRole)}
      from memberships m join roles r on r.id = $2 and r.tenant_id = m.tenant_id ${rolesHeld(oneRole)}
     where m.id = $1`,
} as const;

const byMember = {
  name: "session_of_member",
  text: `
    select '' as "id", null as "previewRoleId", null as "previewOf", ${standing.membership} as "membershipStands", ${standing.account} as "accountStands",
           ${standing.tenant} as "tenantStands", ${memberColumns}
      from memberships m ${memberTables}
     where m.account_id = $1 and m.tenant_id = $2`,
} as const;

const buttonsOfRoles = {
  name: "buttons_of_roles",
  text: `
    select rm.role_id::text as "roleId", n.code
      from granted_menus rm join menus n on n.id = rm.menu_id and n.category = 2 where rm.role_id = any($1::bigint[])`,
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

    /** What a personal access token stands for: its member as it is now. */
    byPersonalToken: async (hash: Buffer): Promise<(SessionRow & { tokenScopes: TokenScope[] }) | undefined> =>
      (await prepared<SessionRow & { tokenScopes: TokenScope[] }>(byPersonalToken, [hash]))[0],

    /** Those of the sessions that may go on, for streams that outlive the request that opened them. */
    active: (sessionIds: readonly string[], lifetimeS: number): Promise<SessionRow[]> =>
      prepared<SessionRow>(active, [sessionIds, lifetimeS]),

    /** Those of the sessions that may go on, each with a text that is another one as soon as it reaches something else. */
    versions: (sessionIds: readonly string[], lifetimeS: number): Promise<{ id: string; version: string }[]> =>
      prepared(versions, [sessionIds, lifetimeS]),

    /** What a role of the member's tenant alone would give them; undefined when there is none. */
    ofRole: async (membershipId: string, roleId: string): Promise<RoleRow | undefined> =>
      (await prepared<RoleRow>(ofRole, [membershipId, roleId]))[0],

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
