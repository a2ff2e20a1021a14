import { userSheet } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope, memberInRowScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { jsonRows } from "../../database/json-rows.ts";
import { refuse } from "../../http/errors.ts";
import { resourceRepository } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { accountKey } from "../identity/index.ts";
import { type UserRepository, userRepository } from "./user.repository.ts";

type SheetRows = ReturnType<typeof resourceRepository>;

/** Places of members: the column of a sheet, and the tables that hold them. */
const places = [
  { column: "role_name", held: "membership_roles", key: "role_id", of: "roles", set: "setRoles" },
  {
    column: "dept_name",
    held: "membership_departments",
    key: "department_id",
    of: "departments",
    set: "setDepartments",
  },
  { column: "post_name", held: "membership_posts", key: "post_id", of: "posts", set: "setPosts" },
] as const;

/** Columns of a sheet's row that stand in the account, by their name there. */
const accountColumns = {
  user_type: "userType",
  name: "nickName",
  real_name: "realName",
  birthday: "birthday",
} as const;

/** A user whom an import added and who has no password of their own yet. */
export interface Newcomer {
  id: string;
  account: string;
  realName: string;
}

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Rows of sheets of users: accounts with their membership in one tenant, which several tables hold.
 * @param db a pool or an open transaction
 */
export function userSheetRepository(db: Kysely<DB>, nextId: () => string) {
  const rows = resourceRepository(db, userSheet);
  const users: UserRepository = userRepository(db);
  /** Administrators of the tenant before the first change of roles in this transaction. */
  let leaders: number | undefined;

  /** Members under the ids of their accounts; a membership is found by its tenant. */
  const memberships = async (scope: TenantScope, accountIds: readonly string[]) =>
    (
      await sql<{ id: string; accountId: string }>`
        select m.id::text as id, m.account_id::text as "accountId" from memberships m
         where m.account_id = any(${[...accountIds]}::bigint[]) and ${inOneTenant(scope, "m")}
           and ${memberInRowScope(scope, "m.id")}`.execute(db)
    ).rows;

  /** Rows of a written import that added a user who has no password of their own yet. */
  const newcomersOf = (scope: TenantScope, importId: string) => sql`
            from imports i join import_rows r on r.import_id = i.id join accounts a on a.id = r.row_id
           where i.id = ${importId} and i.resource = ${userSheet.name} and i.state = 'written' and ${inOneTenant(scope, "i")}
             and r.version is not null and r.before is null and a.removed_at is null and a.password_must_change
             and not exists (select from sessions s where s.account_id = a.id)
             and exists (select from memberships m where m.account_id = a.id and ${inScope(scope, "m")} and ${memberInRowScope(scope, "m.id")})`;

  const own: Pick<SheetRows, "byIds" | "byTexts" | "insert" | "update" | "lockedHeads" | "remove"> = {
    async byIds(scope, ids, lock = false) {
      if (lock)
        await sql`select from accounts a where a.id = any(${[...ids]}::bigint[]) order by a.id for no key update`.execute(
          db,
        );
      return rows.byIds(scope, ids);
    },

    /** Login names ignore case and width, which an index of the accounts knows. */
    async byTexts(scope, _field, texts) {
      const { rows: found } = await sql<{ id: string }>`
        select a.id::text as id from accounts a join memberships m on m.account_id = a.id
         where a.account_key = any(${texts.map(accountKey)}::text[]) and ${inOneTenant(scope, "m")}`.execute(db);
      return rows.byIds(
        scope,
        found.map(({ id }) => id),
      );
    },

    async insert(scope, values) {
      const { tenantId, accountId, departmentId } = scope;
      const added = values.map((row) => ({ row, membershipId: nextId() }));
      await sql`
        insert into accounts (id, account, account_key, type, password_hash, password_must_change, nick_name, real_name, user_type,
                              birthday, email_encrypted, phone_encrypted, phone_index)
        select x.id, x.account, x.account_key, case t.type when 'group' then 'employee' else t.type end, '', true, x.nick_name, x.real_name,
               x.user_type, x.birthday, x.email_encrypted, x.phone_encrypted, x.phone_index
          from jsonb_populate_recordset(null::accounts, ${jsonRows(
            added.map(({ row }) => ({
              id: row.id,
              account: row.account,
              account_key: accountKey(String(row.account)),
              nick_name: row.name || row.account,
              real_name: row.real_name,
              user_type: row.user_type,
              birthday: row.birthday,
              email_encrypted: row.email_encrypted,
              phone_encrypted: row.phone_encrypted,
              phone_index: row.phone_index,
            })),
          )}::jsonb) x cross join tenants t where ${inOneTenant(scope, "t")}`.execute(db);
      await sql`
        insert into memberships (id, account_id, tenant_id, created_by, created_dept, updated_by)
        select x.id, x.account_id, ${tenantId}, ${accountId}, ${departmentId || null}::bigint, ${accountId}
          from jsonb_populate_recordset(null::memberships, ${jsonRows(
            added.map(({ row, membershipId }) => ({ id: membershipId, account_id: row.id })),
          )}::jsonb) x`.execute(db);
      for (const { column, held, key, of } of places) {
        const pairs = added.flatMap(({ row, membershipId }) =>
          idsOf(row[column]).map((id) => [membershipId, id] as const),
        );
        if (pairs.length === 0) continue;
        await sql`
          insert into ${sql.table(held)} (membership_id, ${sql.id(key)})
          select x.membership_id, p.id
            from unnest(${pairs.map(([id]) => id)}::bigint[], ${pairs.map(([, id]) => id)}::bigint[]) as x (membership_id, place_id)
            join ${sql.table(of)} p on p.id = x.place_id and ${inOneTenant(scope, "p")}`.execute(db);
      }
    },

    async update(scope, id, values) {
      const [membership] = await memberships(scope, [id]);
      if (membership === undefined) return false;
      if (id !== scope.accountId && (await users.accountsBeyond(scope, [id])).length > 0) throw refuse("users.above");
      const roleIds = values.role_name === undefined ? undefined : idsOf(values.role_name);
      if (roleIds) {
        // An undo gives back roles that somebody lost, which needs the same rights as giving them.
        if ((await users.rolesBeyond(scope, roleIds)).length > 0) throw refuse("users.role_above");
        if (leaders === undefined) {
          await users.lockTenant(scope);
          leaders = await users.leaders(scope);
        }
      }
      const change = Object.fromEntries(
        Object.entries(accountColumns).flatMap(([column, name]) =>
          column in values ? [[name, column === "birthday" ? values[column] || null : values[column]]] : [],
        ),
      );
      await users.changeAccount(scope, id, change, undefined);
      await users.changeMembership(scope, membership.id, {});
      for (const { column, set } of places)
        if (values[column] !== undefined) await users[set](scope, membership.id, idsOf(values[column]));
      return true;
    },

    /** A person acted who chose a password, or signed in. */
    lockedHeads: async (scope, ids) =>
      (
        await sql<{ id: string; version: number; title: string; acted: boolean }>`
          select a.id::text as id, a.version, a.account as title,
                 not a.password_must_change or exists (select from sessions s where s.account_id = a.id)
                   or exists (select from account_events e where e.account_id = a.id)
                   or exists (select from memberships other where other.account_id = a.id and not ${inOneTenant(scope, "other")}) as acted
            from accounts a
           where a.id = any(${[...ids]}::bigint[]) and a.removed_at is null
             and exists (select from memberships m where m.account_id = a.id and ${inOneTenant(scope, "m")}
                           and ${memberInRowScope(scope, "m.id")})
           order by a.id for no key update of a`.execute(db)
      ).rows,

    async remove(scope, ids) {
      const found = await memberships(scope, ids);
      if ((await users.accountsBeyond(scope, ids)).length > 0) throw refuse("users.above");
      await users.removeMembers(
        scope,
        found.map(({ id }) => id),
      );
      return found.length;
    },
  };

  return {
    rows: { ...rows, ...own } satisfies SheetRows,
    users,

    /** Accounts of these login names that are in no tenant of the scope's own, in their order of the names. */
    async takenElsewhere(scope: TenantScope, keys: readonly string[]): Promise<Set<string>> {
      const { rows: found } = await sql<{ key: string }>`
        select a.account_key as key from accounts a where a.account_key = any(${[...keys]}::text[])
           and not exists (select from memberships m where m.account_id = a.id and ${inOneTenant(scope, "m")})`.execute(
        db,
      );
      return new Set(found.map(({ key }) => key));
    },

    /** Which of these accounts are members of other tenants, too. */
    async shared(scope: TenantScope, accountIds: readonly string[]): Promise<Set<string>> {
      const { rows: found } = await sql<{ id: string }>`
        select distinct m.account_id::text as id from memberships m
         where m.account_id = any(${[...accountIds]}::bigint[]) and not ${inOneTenant(scope, "m")}`.execute(db);
      return new Set(found.map(({ id }) => id));
    },

    /** Departments or posts of the scope's tenant, with their names from the top. */
    async named(
      scope: TenantScope,
      what: "departments" | "posts",
    ): Promise<{ id: string; name: string; path: string }[]> {
      if (what === "posts")
        return (
          await sql<{ id: string; name: string; path: string }>`
            select p.id::text as id, p.post_name as name, p.post_name as path from posts p where ${inOneTenant(scope, "p")}
             order by p.sort, p.id`.execute(db)
        ).rows;
      return (
        await sql<{ id: string; name: string; path: string }>`
          with recursive down as (
            select d.id, d.dept_name, d.dept_name::text as path, 0 as depth from departments d
             where d.parent_id is null and ${inOneTenant(scope, "d")}
            union all select d.id, d.dept_name, down.path || ' / ' || d.dept_name, depth + 1
              from departments d join down on d.parent_id = down.id where depth < 100)
          select id::text as id, dept_name as name, path from down order by path`.execute(db)
      ).rows;
    },

    /** @throws {Refusal} when the import leaves no administrator, or more members than the tenant may have */
    async requireWhole(scope: TenantScope): Promise<void> {
      if (leaders !== undefined && leaders > 0 && (await users.leaders(scope)) === 0) throw refuse("users.last_leader");
      await users.lockTenant(scope);
      const { rows: counted } = await sql<{ beyond: boolean }>`
        select t.account_number >= 0 and (select count(*) from memberships m where m.tenant_id = t.tenant_id) > t.account_number as beyond
          from tenants t where ${inOneTenant(scope, "t")}`.execute(db);
      if (counted[0]?.beyond) throw refuse("users.quota");
    },

    /**
     * Users that a written import added and who neither signed in nor chose a password, in the sheet's order.
     * @param first number of the first row that is looked at
     * @param last number of the last one
     */
    newcomers: async (scope: TenantScope, importId: string, first: number, last: number): Promise<Newcomer[]> =>
      (
        await sql<Newcomer>`
          select a.id::text as id, a.account, a.real_name as "realName" ${newcomersOf(scope, importId)}
             and r.row_number between ${first} and ${last}
           order by r.row_number`.execute(db)
      ).rows,

    /** Whether an import has such users. */
    hasNewcomers: async (scope: TenantScope, importId: string): Promise<boolean> =>
      (await sql`select 1 ${newcomersOf(scope, importId)} limit 1`.execute(db)).rows.length > 0,

    /** Stores first passwords; versions stay, as nobody edited the users. */
    async setFirstPasswords(scope: TenantScope, hashes: readonly { id: string; hash: string }[]): Promise<void> {
      await sql`
        update accounts a set password_hash = x.hash, password_changed_at = now()
          from unnest(${hashes.map(({ id }) => id)}::bigint[], ${hashes.map(({ hash }) => hash)}::text[]) as x (id, hash)
         where a.id = x.id and a.password_must_change
           and exists (select from memberships m where m.account_id = a.id and ${inScope(scope, "m")})`.execute(db);
    },
  };
}
export type UserSheetRepository = ReturnType<typeof userSheetRepository>;
