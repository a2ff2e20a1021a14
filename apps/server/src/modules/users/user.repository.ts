import type { AccountType, userSorts } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { hasWord, inOneTenant, inScope, isMemberIn, likeWord, memberInRowScope } from "../../database/conditions.ts";
import { emptiedAccount } from "../../database/emptied-account.ts";
import type { DB } from "../../database/generated/database.ts";
import { type List, type PageRange, readList, readRows } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export type UserSort = (typeof userSorts)[number];

export interface UserFilter {
  /** Part of the name of a department, and of a post, in which somebody stands. */
  deptName?: string | undefined;
  postName?: string | undefined;
  account?: string | undefined;
  realName?: string | undefined;
  accountPart?: string | undefined;
  realNamePart?: string | undefined;
  userType?: number | undefined;
  status?: number | undefined;
  roleId?: string | undefined;
  /** Those below it count, too. */
  deptId?: string | undefined;
  postId?: string | undefined;
  keyword?: string | undefined;
  /** Accounts. */
  ids?: readonly string[] | undefined;
  membershipIds?: readonly string[] | undefined;
}

/** Where a reading in parts goes on: behind this account and membership. */
export type UserCursor = readonly [accountId: string, membershipId: string];

/** A membership with its account, and what it belongs to. */
export interface UserRow {
  id: string;
  membershipId: string;
  tenantId: string;
  tenantName: string;
  code: string;
  userType: number;
  account: string;
  accountKey: string;
  nickName: string;
  realName: string;
  avatar: string;
  emailEncrypted: string;
  phoneEncrypted: string;
  /** yyyy-MM-dd */
  birthday: string | null;
  sex: number;
  /** Separated by commas. */
  roleIds: string;
  roleNames: string;
  /** Separated by commas. */
  deptIds: string;
  deptNames: string;
  /** Separated by commas. */
  postIds: string;
  postNames: string;
  status: number;
  mustChangePassword: boolean;
  /** Its owner proved the phone. */
  phoneProven: boolean;
  shared: boolean;
  /** What the platform of its type keeps of the person. */
  userExt: string;
  version: number;
  createUser: string | null;
  createDept: string | null;
  createTime: Date;
  updateUser: string | null;
  updateTime: Date;
  /** Null for who never signed in here. */
  lastLoginTime: Date | null;
  /** Whether any log-in of the installation is locked; the same in every row. */
  anyLocked: boolean;
}

/** What an administrator may change of an account. */
export interface AccountChange {
  account?: string;
  accountKey?: string;
  nickName?: string;
  realName?: string;
  userType?: number;
  sex?: number;
  birthday?: string | null;
  emailEncrypted?: string;
  phoneEncrypted?: string;
  phoneIndex?: Buffer | null;
}

/** Role of each kind of tenant without which nobody could manage it. */
const leadingAliases = ["administrator", "owner"];

const sortColumns = {
  account: "e.account",
  real_name: "e.realName",
  create_time: "e.createdAt",
  update_time: "e.updatedAt",
} as const satisfies Record<UserSort, unknown>;

/** Members with what they belong to, which is read once for all rows of a page: a look-up for each row takes several times as long. */
const members = {
  table: sql`member_entries e`,
  key: "e.membership_id",
  columns: sql`
    a.id, m.id as membership_id, m.tenant_id, t.name as tenant_name, m.code, a.user_type, a.account, a.account_key, a.nick_name, a.real_name,
    a.avatar, a.email_encrypted, a.phone_encrypted, a.birthday, a.sex, least(m.status, a.status) as status,
    a.password_must_change as must_change_password, a.phone_verified_at is not null and a.phone_encrypted <> '' as phone_proven, a.version,
    m.created_by as create_user, m.created_dept as create_dept, m.created_at as create_time, m.updated_by as update_user,
    a.updated_at as update_time, coalesce(b.role_ids, '') as role_ids, coalesce(b.role_names, '') as role_names,
    coalesce(b.dept_ids, '') as dept_ids, coalesce(b.dept_names, '') as dept_names, coalesce(b.post_ids, '') as post_ids,
    coalesce(b.post_names, '') as post_names,
    coalesce((select p.user_ext from account_platforms p where p.account_id = a.id and p.user_type = a.user_type), '') as user_ext,
    (select s.created_at from sessions s where s.membership_id = m.id and s.preview_of is null
      order by s.created_at desc limit 1) as last_login_time,
    exists (select from memberships other where other.account_id = a.id and other.id <> m.id) as shared,
    exists (select from login_failures where locked_until > now()) as any_locked`,
  joins: sql`
    join memberships m on m.id = e.membership_id join accounts a on a.id = e.account_id join tenants t on t.tenant_id = e.tenant_id
    left join (
      select membership_id,
             string_agg(id::text, ',') filter (where kind = 'role') as role_ids,
             string_agg(name, ',') filter (where kind = 'role') as role_names,
             string_agg(id::text, ',') filter (where kind = 'department') as dept_ids,
             string_agg(name, ',') filter (where kind = 'department') as dept_names,
             string_agg(id::text, ',') filter (where kind = 'post') as post_ids,
             string_agg(name, ',') filter (where kind = 'post') as post_names
        from (
          select mr.membership_id, 'role' as kind, r.id, r.role_name as name, r.sort
            from chosen join membership_roles mr on mr.membership_id = chosen.chosen_key join roles r on r.id = mr.role_id
          union all
          select md.membership_id, 'department', d.id, d.dept_name, d.sort
            from chosen join membership_departments md on md.membership_id = chosen.chosen_key join departments d on d.id = md.department_id
          union all
          select mp.membership_id, 'post', p.id, p.post_name, p.sort
            from chosen join membership_posts mp on mp.membership_id = chosen.chosen_key join posts p on p.id = mp.post_id
          order by membership_id, sort, id) held
       group by membership_id) b on b.membership_id = e.membership_id`,
} satisfies Partial<List>;

/** Conditions of a filter on entries of members. */
function conditionsOf(scope: TenantScope, filter: UserFilter): RawBuilder<SqlBool>[] {
  const { account, realName, accountPart, realNamePart, userType, status, roleId, deptId, postId } = filter;
  const conditions = [inScope(scope, "e"), memberInRowScope(scope, "e.membership_id")];
  const add = (condition: RawBuilder<SqlBool>) => conditions.push(condition);
  if (filter.ids) add(sql`e.account_id = any(${[...filter.ids]}::bigint[])`);
  if (filter.membershipIds) add(sql`e.membership_id = any(${[...filter.membershipIds]}::bigint[])`);
  if (account) add(sql`e.account = ${account}`);
  if (realName) add(sql`e.real_name = ${realName}`);
  // The index of all words finds who may have the part; the column itself then tells.
  if (accountPart) add(sql`${hasWord(sql`e.words`, accountPart)} and e.account ilike ${likeWord(accountPart)}`);
  if (realNamePart) add(sql`${hasWord(sql`e.words`, realNamePart)} and e.real_name ilike ${likeWord(realNamePart)}`);
  if (userType !== undefined) add(sql`e.user_type = ${userType}`);
  if (status !== undefined) add(sql`e.status = ${status}`);
  if (roleId !== undefined)
    add(
      sql`exists (select from membership_roles mr where mr.membership_id = e.membership_id and mr.role_id = ${roleId})`,
    );
  if (deptId)
    add(sql`exists (select from membership_departments md where md.membership_id = e.membership_id and md.department_id in (
      with recursive below as (
        select id from departments where id = ${deptId}
        union select d.id from departments d join below on d.parent_id = below.id)
      select id from below))`);
  if (postId)
    add(
      sql`exists (select from membership_posts mp where mp.membership_id = e.membership_id and mp.post_id = ${postId})`,
    );
  if (filter.deptName)
    add(sql`exists (select from membership_departments md join departments d on d.id = md.department_id
      where md.membership_id = e.membership_id and d.dept_name ilike ${likeWord(filter.deptName)})`);
  if (filter.postName)
    add(sql`exists (select from membership_posts mp join posts p on p.id = mp.post_id
      where mp.membership_id = e.membership_id and p.post_name ilike ${likeWord(filter.postName)})`);
  return conditions;
}

/** @param db a pool or an open transaction */
export function userRepository(db: Kysely<DB>) {
  return {
    page(
      scope: TenantScope,
      filter: UserFilter,
      { orders, ...range }: PageRange & { orders: readonly { column: UserSort; direction: "asc" | "desc" }[] },
    ): Promise<{ total: number; rows: UserRow[] }> {
      const { accountPart, realNamePart, roleId, deptId, postId, deptName, postName, keyword } = filter;
      // Members that are equal in what was asked for follow the direction of the last: so an index holds the whole order.
      const last = orders.at(-1)?.direction ?? "asc";
      const order = [
        ...orders.map(({ column, direction }) => [sortColumns[column], direction] as const),
        ["e.accountId", last] as const,
        ["e.membershipId", last] as const,
      ].map(([column, direction]) => ({ by: sql.ref(column), descending: direction === "desc" }));
      return readList<UserRow>(
        db,
        {
          ...members,
          where: conditionsOf(scope, filter),
          order,
          // An index of members alone can't tell these.
          bounded: [accountPart, realNamePart, roleId, deptId, postId, deptName, postName].some(Boolean),
          word: keyword ? { words: sql`e.words`, keyword } : undefined,
        },
        range,
      );
    },

    /** Members behind a given one, in the order of their accounts and memberships. */
    after(
      scope: TenantScope,
      filter: UserFilter,
      [accountId, membershipId]: UserCursor = ["0", "0"],
      limit: number,
    ): Promise<readonly UserRow[]> {
      const { keyword } = filter;
      return readRows<UserRow>(
        db,
        {
          ...members,
          where: [
            ...conditionsOf(scope, filter),
            sql<SqlBool>`(e.account_id, e.membership_id) > (${accountId}::bigint, ${membershipId}::bigint)`,
            ...(keyword ? [hasWord(sql`e.words`, keyword)] : []),
          ],
          order: [{ by: sql`e.account_id` }, { by: sql`e.membership_id` }],
        },
        { offset: 0, limit },
      );
    },

    /** Memberships of accounts, as far as the scope reaches. */
    ofAccounts: (scope: TenantScope, accountIds: readonly string[]): Promise<readonly UserRow[]> =>
      readRows<UserRow>(db, {
        ...members,
        where: [
          inScope(scope, "e"),
          memberInRowScope(scope, "e.membership_id"),
          sql<SqlBool>`e.account_id = any(${[...accountIds]}::bigint[])`,
        ],
        order: [{ by: sql`e.tenant_id` }],
      }),

    /** Keeps what a platform knows of a member. */
    async setPlatform(scope: TenantScope, accountId: string, userType: number, userExt: string): Promise<void> {
      await sql`insert into account_platforms (account_id, user_type, user_ext)
        select a.id, ${userType}, ${userExt} from accounts a where a.id = ${accountId} and ${isMemberIn(scope, "a.id")}
        on conflict (account_id, user_type) do update set user_ext = excluded.user_ext, updated_at = now()`.execute(db);
    },

    /** Whether the scope's tenant has as many members as it may have; locks it until the transaction ends. */
    async isFull(scope: TenantScope): Promise<boolean> {
      // Counted in a statement of its own, which sees what was added while this one waited for the lock.
      await sql`select from tenants t where ${inOneTenant(scope, "t")} for no key update`.execute(db);
      const { rows } = await sql<{ full: boolean }>`
        select t.account_number >= 0 and (select count(*) from memberships m where m.tenant_id = t.tenant_id) >= t.account_number as full
          from tenants t where ${inOneTenant(scope, "t")}`.execute(db);
      return rows[0]?.full ?? false;
    },

    /** How many members the scope's tenant has and may have; undefined where there is no limit. */
    async room(scope: TenantScope): Promise<{ most: number; held: number } | undefined> {
      const { rows } = await sql<{ most: number; held: number }>`
        select t.account_number as most, (select count(*)::int from memberships m where m.tenant_id = t.tenant_id) as held
          from tenants t where ${inOneTenant(scope, "t")} and t.account_number >= 0`.execute(db);
      return rows[0];
    },

    /** Ids of roles, departments and posts of the scope's tenant by their names; the first of several. */
    async idsByName(scope: TenantScope, what: "roles" | "departments" | "posts"): Promise<Map<string, string>> {
      const name = { roles: "role_name", departments: "dept_name", posts: "post_name" }[what];
      const { rows } = await sql<{ id: string; name: string }>`
        select min(t.id)::text as id, ${sql.ref(`t.${name}`)} as name from ${sql.table(what)} t
         where ${inOneTenant(scope, "t")} group by 2`.execute(db);
      return new Map(rows.map(({ id, name }) => [name, id]));
    },

    /** Account of a login name in the scope's tenant. */
    memberNamed: async (scope: TenantScope, accountKey: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom("accounts as a")
          .innerJoin("memberships as m", "m.accountId", "a.id")
          .select("a.id")
          .where("a.accountKey", "=", accountKey)
          .where(inOneTenant(scope, "m"))
          .executeTakeFirst()
      )?.id,

    /** Makes changes of one tenant's members wait for each other, so that two can't take away the last administrator. */
    async lockTenant(scope: TenantScope): Promise<void> {
      // Not the key: rows that name the tenant go on being written, and hold nobody up who writes many of them.
      await db.selectFrom("tenants").select("tenantId").where(inOneTenant(scope, "tenants")).forNoKeyUpdate().execute();
    },

    /** A new account that is a member of the scope's tenant. @returns false when the login name is taken */
    async insertMember(
      { tenantId, accountId, departmentId }: TenantScope,
      membershipId: string,
      row: { id: string; account: string; accountKey: string; passwordHash: string; type: AccountType },
    ): Promise<boolean> {
      const added = await db
        .insertInto("accounts")
        .values({ ...row, nickName: row.account, passwordMustChange: true })
        .onConflict((conflict) => conflict.column("accountKey").doNothing())
        .executeTakeFirst();
      if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
      await db
        .insertInto("memberships")
        .values({
          id: membershipId,
          accountId: row.id,
          tenantId,
          createdBy: accountId || null,
          createdDept: departmentId || null,
        })
        .execute();
      return true;
    },

    /**
     * Changes an account and moves its version on.
     * @param version what the editor saw; undefined takes any
     * @returns false when somebody else changed it in between
     */
    async changeAccount(
      scope: TenantScope,
      id: string,
      change: AccountChange,
      version: number | undefined,
    ): Promise<boolean> {
      let update = db
        .updateTable("accounts")
        .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
        .where("id", "=", id)
        .where(isMemberIn(scope, "accounts.id"));
      if (version !== undefined) update = update.where("version", "=", version);
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Login names are unique over all tenants: this tells that one is taken, and not whose it is. */
    isTaken: async (accountKey: string, except: string): Promise<boolean> =>
      (await db
        .selectFrom("accounts")
        .select("id")
        .where("accountKey", "=", accountKey)
        .where("id", "!=", except)
        .executeTakeFirst()) !== undefined,

    /** Changes a membership, and notes who changed it or its account. */
    async changeMembership(
      scope: TenantScope,
      membershipId: string,
      change: { code?: string; status?: number },
    ): Promise<void> {
      await db
        .updateTable("memberships")
        .set({ ...change, updatedBy: scope.accountId || null })
        .where("id", "=", membershipId)
        .where(inScope(scope, "memberships"))
        .execute();
    },

    /** Disables or enables members. */
    async setStatus(scope: TenantScope, membershipIds: readonly string[], status: number): Promise<void> {
      await db
        .updateTable("memberships")
        .set({ status, updatedBy: scope.accountId || null })
        .where("id", "in", [...membershipIds])
        .where(inScope(scope, "memberships"))
        .execute();
    },

    /** Roles of the scope's tenant by their ids; ids of other tenants are not among them. */
    rolesOf: (scope: TenantScope, ids?: readonly string[]) => {
      let query = db
        .selectFrom("roles")
        .select(["id", "tenantId", "parentId", "roleName", "roleAlias", "sort"])
        .where(inOneTenant(scope, "roles"));
      if (ids !== undefined) query = query.where("id", "in", ids.length === 0 ? ["0"] : [...ids]);
      return query.orderBy("sort").orderBy("id").execute();
    },

    /** Replaces the roles of a member by some of the same tenant. */
    async setRoles(scope: TenantScope, membershipId: string, roleIds: readonly string[]): Promise<void> {
      await sql`delete from membership_roles mr using memberships m
        where mr.membership_id = m.id and m.id = ${membershipId} and ${inScope(scope, "m")}`.execute(db);
      await sql`insert into membership_roles (membership_id, role_id)
        select m.id, r.id from memberships m join roles r on r.tenant_id = m.tenant_id
         where m.id = ${membershipId} and ${inScope(scope, "m")} and r.id = any(${[...roleIds]}::bigint[])`.execute(db);
    },

    /** Which of these departments a tenant has. */
    async departmentsOf(scope: TenantScope, ids: readonly string[]): Promise<string[]> {
      const found = db.selectFrom("departments as d").select("d.id").where(inOneTenant(scope, "d"));
      return (await found.where("d.id", "in", ids.length === 0 ? ["0"] : [...ids]).execute()).map(({ id }) => id);
    },

    /** Replaces the departments of a member by some of the same tenant. */
    async setDepartments(scope: TenantScope, membershipId: string, departmentIds: readonly string[]): Promise<void> {
      await sql`delete from membership_departments md using memberships m
        where md.membership_id = m.id and m.id = ${membershipId} and ${inScope(scope, "m")}`.execute(db);
      await sql`insert into membership_departments (membership_id, department_id)
        select m.id, d.id from memberships m join departments d on d.tenant_id = m.tenant_id
         where m.id = ${membershipId} and ${inScope(scope, "m")}
           and d.id = any(${[...departmentIds]}::bigint[])`.execute(db);
    },

    /** Which of these posts a tenant has. */
    async postsOf(scope: TenantScope, ids: readonly string[]): Promise<string[]> {
      const found = db.selectFrom("posts as p").select("p.id").where(inOneTenant(scope, "p"));
      return (await found.where("p.id", "in", ids.length === 0 ? ["0"] : [...ids]).execute()).map(({ id }) => id);
    },

    /** Replaces the posts of a member by some of the same tenant. */
    async setPosts(scope: TenantScope, membershipId: string, postIds: readonly string[]): Promise<void> {
      await sql`delete from membership_posts mp using memberships m
        where mp.membership_id = m.id and m.id = ${membershipId} and ${inScope(scope, "m")}`.execute(db);
      await sql`insert into membership_posts (membership_id, post_id)
        select m.id, p.id from memberships m join posts p on p.tenant_id = m.tenant_id
         where m.id = ${membershipId} and ${inScope(scope, "m")}
           and p.id = any(${[...postIds]}::bigint[])`.execute(db);
    },

    /** Which of these roles grant a menu or button that the scope's own membership does not have. */
    async rolesBeyond(scope: TenantScope, roleIds: readonly string[]): Promise<string[]> {
      if (roleIds.length === 0) return [];
      const rows = await db
        .selectFrom("grantedMenus as rm")
        .innerJoin("roles as r", "r.id", "rm.roleId")
        .select("r.id as roleId")
        .distinct()
        .where("rm.roleId", "in", [...roleIds])
        .where(inScope(scope, "r"))
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("membershipRoles as mr")
                .innerJoin("grantedMenus as own", "own.roleId", "mr.roleId")
                .select("own.menuId")
                .where("mr.membershipId", "=", scope.membershipId)
                .whereRef("own.menuId", "=", "rm.menuId"),
            ),
          ),
        )
        .execute();
      return rows.map(({ roleId }) => roleId);
    },

    /** Which of these accounts hold, in the scope's own tenant, roles that grant a menu or button that its membership lacks. */
    async accountsBeyond(scope: TenantScope, accountIds: readonly string[]): Promise<string[]> {
      if (accountIds.length === 0) return [];
      const { rows } = await sql<{ id: string }>`
        with own as materialized (
          select g.menu_id from membership_roles o join granted_menus g on g.role_id = o.role_id where o.membership_id = ${scope.membershipId}),
        held as materialized (
          select m.account_id, mr.role_id from memberships m join membership_roles mr on mr.membership_id = m.id
           where m.tenant_id = ${scope.tenantId} and m.account_id = any(${[...accountIds]}::bigint[])),
        -- Asked once for each role and not for each of its people.
        beyond as materialized (
          select distinct g.role_id from granted_menus g
           where g.role_id in (select role_id from held) and not exists (select from own where own.menu_id = g.menu_id))
        select distinct account_id::text as id from held where role_id in (select role_id from beyond)`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Those of these members who hold a role that manages their tenant. */
    async leading(scope: TenantScope, membershipIds: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .selectFrom("memberships as m")
        .innerJoin("membershipRoles as mr", "mr.membershipId", "m.id")
        .innerJoin("roles as r", "r.id", "mr.roleId")
        .select("m.id")
        .where(inScope(scope, "m"))
        .where("m.id", "in", [...membershipIds])
        .where("r.roleAlias", "in", leadingAliases)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** How many may still manage the scope's tenant: members who may sign in and hold its leading role. */
    async leaders(scope: TenantScope): Promise<number> {
      const row = await db
        .selectFrom("memberships as m")
        .innerJoin("accounts as a", "a.id", "m.accountId")
        .innerJoin("membershipRoles as mr", "mr.membershipId", "m.id")
        .innerJoin("roles as r", "r.id", "mr.roleId")
        .select(sql<number>`count(distinct m.id)::int`.as("leaders"))
        .where(inOneTenant(scope, "m"))
        .where("m.status", "=", 1)
        .where("a.status", "=", 1)
        .where("r.roleAlias", "in", leadingAliases)
        .executeTakeFirstOrThrow();
      return row.leaders;
    },

    /** @param mustChange whether the next log-in asks for another */
    async setPassword(scope: TenantScope, accountId: string, passwordHash: string, mustChange: boolean): Promise<void> {
      await db
        .updateTable("accounts")
        .set({
          passwordHash,
          passwordChangedAt: sql<Date>`now()`,
          passwordMustChange: mustChange,
          updatedAt: sql<Date>`now()`,
          version: sql<number>`version + 1`,
        })
        .where("id", "=", accountId)
        .where(isMemberIn(scope, "accounts.id"))
        .execute();
    },

    /** Moves the versions of accounts on, for a change that stands in other tables. */
    async touchAccounts(scope: TenantScope, ids: readonly string[]): Promise<void> {
      await db
        .updateTable("accounts")
        .set({ version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
        .where("id", "in", [...ids])
        .where(isMemberIn(scope, "accounts.id"))
        .execute();
    },

    /**
     * Removes members. Accounts that are in no tenant then are emptied: their names are free again, and nothing personal is
     * left.
     */
    async removeMembers(scope: TenantScope, membershipIds: readonly string[]): Promise<void> {
      const removed = await db
        .deleteFrom("memberships")
        .where("id", "in", [...membershipIds])
        .where(inScope(scope, "memberships"))
        .returning("accountId")
        .execute();
      if (removed.length === 0) return;
      const emptied = await db
        .updateTable("accounts")
        .set(emptiedAccount)
        .where(
          "id",
          "in",
          removed.map(({ accountId }) => accountId),
        )
        .where((where) =>
          where.not(
            where.exists(
              where.selectFrom("memberships as m").select("m.id").whereRef("m.accountId", "=", "accounts.id"),
            ),
          ),
        )
        .returning("id")
        .execute();
      if (emptied.length === 0) return;
      const ids = emptied.map(({ id }) => id);
      for (const table of ["messages", "addresses", "contactChanges", "accountEvents"] as const)
        await db.deleteFrom(table).where("accountId", "in", ids).execute();
    },

    tenants: (scope: TenantScope, word: string | undefined) => {
      let query = db
        .selectFrom("tenants as t")
        .select(["t.tenantId", "t.name as tenantName", "t.type"])
        .where(inScope(scope, "t"));
      if (word) query = query.where("t.name", "ilike", likeWord(word));
      return query.orderBy("t.tenantId").limit(200).execute();
    },
  };
}
export type UserRepository = ReturnType<typeof userRepository>;
