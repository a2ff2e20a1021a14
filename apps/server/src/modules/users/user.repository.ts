import type { AccountType, userSorts } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";

export type UserSort = (typeof userSorts)[number];

export interface UserFilter {
  account?: string | undefined;
  realName?: string | undefined;
  userType?: number | undefined;
  status?: number | undefined;
  roleId?: string | undefined;
  keyword?: string | undefined;
}

/** A membership with its account. */
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
  emailBox: string;
  phoneBox: string;
  /** yyyy-MM-dd */
  birthday: string | null;
  sex: number;
  roleIds: string[];
  roleNames: string[];
  status: number;
  mustChangePassword: boolean;
  shared: boolean;
  version: number;
  createTime: Date;
  updateTime: Date;
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
  emailBox?: string;
  phoneBox?: string;
  phoneIndex?: Buffer | null;
  phoneVerifiedAt?: null;
}

/** Role of each kind of tenant without which nobody could manage it. */
const leadingAliases = ["administrator", "owner"];

const sortColumns = {
  account: sql`a.account`,
  real_name: sql`a.real_name`,
  create_time: sql`m.created_at`,
  update_time: sql`a.updated_at`,
} as const satisfies Record<UserSort, unknown>;

/** @param db a pool or an open transaction */
export function userRepository(db: Kysely<DB>) {
  const users = () =>
    db
      .selectFrom("memberships as m")
      .innerJoin("accounts as a", "a.id", "m.accountId")
      .innerJoin("tenants as t", "t.tenantId", "m.tenantId")
      .where("a.removedAt", "is", null);
  const statusColumn = sql<number>`least(m.status, a.status)`;

  const withColumns = (query: ReturnType<typeof users>) =>
    query
      .select([
        "a.id",
        "m.id as membershipId",
        "m.tenantId",
        "t.name as tenantName",
        "m.code",
        "a.userType",
        "a.account",
        "a.accountKey",
        "a.nickName",
        "a.realName",
        "a.avatar",
        "a.emailBox",
        "a.phoneBox",
        "a.birthday",
        "a.sex",
        "a.passwordMustChange as mustChangePassword",
        "a.version",
        "m.createdAt as createTime",
        "a.updatedAt as updateTime",
      ])
      .select([
        statusColumn.as("status"),
        sql<string[]>`coalesce((select array_agg(r.id::text order by r.sort, r.id) from membership_roles mr
          join roles r on r.id = mr.role_id where mr.membership_id = m.id), '{}')`.as("roleIds"),
        sql<string[]>`coalesce((select array_agg(r.name order by r.sort, r.id) from membership_roles mr
          join roles r on r.id = mr.role_id where mr.membership_id = m.id), '{}')`.as("roleNames"),
        sql<boolean>`exists (select 1 from memberships o where o.account_id = a.id and o.id <> m.id)`.as("shared"),
      ]);

  /** @param tenantId one tenant; undefined: all, which only the group's staff may ask for */
  const filtered = (tenantId: string | undefined, filter: UserFilter) => {
    const { account, realName, userType, status, roleId, keyword } = filter;
    let query = users();
    if (tenantId !== undefined) query = query.where("m.tenantId", "=", tenantId);
    if (account) query = query.where("a.account", "=", account);
    if (realName) query = query.where("a.realName", "=", realName);
    if (userType !== undefined) query = query.where("a.userType", "=", userType);
    if (status !== undefined) query = query.where(statusColumn, "=", status);
    if (roleId !== undefined) {
      query = query.where((where) =>
        where.exists(
          where
            .selectFrom("membershipRoles as mr")
            .select("mr.roleId")
            .whereRef("mr.membershipId", "=", "m.id")
            .where("mr.roleId", "=", roleId),
        ),
      );
    }
    if (keyword) {
      const word = likeWord(keyword);
      query = query.where((either) =>
        either.or([
          either("a.account", "ilike", word),
          either("a.realName", "ilike", word),
          either("a.nickName", "ilike", word),
          either("m.code", "ilike", word),
        ]),
      );
    }
    return query;
  };

  return {
    async page(
      tenantId: string | undefined,
      filter: UserFilter,
      {
        offset,
        limit,
        orders,
      }: { offset: number; limit: number; orders: readonly { column: UserSort; direction: "asc" | "desc" }[] },
    ): Promise<{ total: number; rows: UserRow[] }> {
      let rows = withColumns(filtered(tenantId, filter));
      for (const { column, direction } of orders) rows = rows.orderBy(sortColumns[column], direction);
      const [{ total }, records] = await Promise.all([
        filtered(tenantId, filter).select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
        rows.orderBy("a.id").orderBy("m.id").offset(offset).limit(limit).execute(),
      ]);
      return { total, rows: records };
    },

    /** Memberships of an account: in one tenant, or in all (group staff only). */
    ofAccount: (accountId: string, tenantId: string | undefined): Promise<UserRow[]> =>
      withColumns(filtered(tenantId, {})).where("a.id", "=", accountId).orderBy("m.tenantId").execute(),

    /** Makes changes of one tenant's members wait for each other, so that two can't take away the last administrator. */
    async lockTenant(tenantId: string): Promise<void> {
      await db.selectFrom("tenants").select("tenantId").where("tenantId", "=", tenantId).forUpdate().execute();
    },

    /** @returns false when the login name is taken */
    async insertAccount(row: {
      id: string;
      account: string;
      accountKey: string;
      passwordHash: string;
      type: AccountType;
    }): Promise<boolean> {
      const added = await db
        .insertInto("accounts")
        .values({ ...row, nickName: row.account, passwordMustChange: true })
        .onConflict((conflict) => conflict.column("accountKey").doNothing())
        .executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async insertMembership(row: { id: string; accountId: string; tenantId: string }): Promise<void> {
      await db.insertInto("memberships").values(row).execute();
    },

    /**
     * Changes an account and moves its version on.
     * @param version what the editor saw; undefined takes any
     * @returns false when somebody else changed it in between
     */
    async changeAccount(id: string, change: AccountChange, version: number | undefined): Promise<boolean> {
      let update = db
        .updateTable("accounts")
        .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
        .where("id", "=", id);
      if (version !== undefined) update = update.where("version", "=", version);
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },

    isTaken: async (accountKey: string, except: string): Promise<boolean> =>
      (await db
        .selectFrom("accounts")
        .select("id")
        .where("accountKey", "=", accountKey)
        .where("id", "!=", except)
        .executeTakeFirst()) !== undefined,

    async changeMembership(membershipId: string, change: { code?: string; status?: number }): Promise<void> {
      if (Object.keys(change).length === 0) return;
      await db.updateTable("memberships").set(change).where("id", "=", membershipId).execute();
    },

    /** Roles of a tenant by their ids; ids of other tenants are not among them. */
    rolesOf: (tenantId: string, ids?: readonly string[]) => {
      let query = db
        .selectFrom("roles")
        .select(["id", "tenantId", "parentId", "name as roleName", "alias as roleAlias", "sort"])
        .where("tenantId", "=", tenantId);
      if (ids !== undefined) query = query.where("id", "in", ids.length === 0 ? ["0"] : [...ids]);
      return query.orderBy("sort").orderBy("id").execute();
    },

    async setRoles(membershipId: string, roleIds: readonly string[]): Promise<void> {
      await db.deleteFrom("membershipRoles").where("membershipId", "=", membershipId).execute();
      if (roleIds.length === 0) return;
      await db
        .insertInto("membershipRoles")
        .values(roleIds.map((roleId) => ({ membershipId, roleId })))
        .execute();
    },

    /** Which of these roles grant a menu or button that the membership does not have. */
    async rolesBeyond(membershipId: string, roleIds: readonly string[]): Promise<string[]> {
      if (roleIds.length === 0) return [];
      const rows = await db
        .selectFrom("roleMenus as rm")
        .select("rm.roleId")
        .distinct()
        .where("rm.roleId", "in", [...roleIds])
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("membershipRoles as mr")
                .innerJoin("roleMenus as own", "own.roleId", "mr.roleId")
                .select("own.menuId")
                .where("mr.membershipId", "=", membershipId)
                .whereRef("own.menuId", "=", "rm.menuId"),
            ),
          ),
        )
        .execute();
      return rows.map(({ roleId }) => roleId);
    },

    /** Ids of the roles that an account has in one tenant. */
    async roleIdsIn(accountId: string, tenantId: string): Promise<string[]> {
      const rows = await db
        .selectFrom("memberships as m")
        .innerJoin("membershipRoles as mr", "mr.membershipId", "m.id")
        .select("mr.roleId")
        .where("m.accountId", "=", accountId)
        .where("m.tenantId", "=", tenantId)
        .execute();
      return rows.map(({ roleId }) => roleId);
    },

    /** How many may still manage a tenant: members who may sign in and hold its leading role. */
    async leaders(tenantId: string): Promise<number> {
      const row = await db
        .selectFrom("memberships as m")
        .innerJoin("accounts as a", "a.id", "m.accountId")
        .innerJoin("membershipRoles as mr", "mr.membershipId", "m.id")
        .innerJoin("roles as r", "r.id", "mr.roleId")
        .select(sql<number>`count(distinct m.id)::int`.as("leaders"))
        .where("m.tenantId", "=", tenantId)
        .where("m.status", "=", 1)
        .where("a.status", "=", 1)
        .where("r.alias", "in", leadingAliases)
        .executeTakeFirstOrThrow();
      return row.leaders;
    },

    async setPassword(accountId: string, passwordHash: string): Promise<void> {
      await db
        .updateTable("accounts")
        .set({
          passwordHash,
          passwordChangedAt: sql<Date>`now()`,
          passwordMustChange: true,
          updatedAt: sql<Date>`now()`,
          version: sql<number>`version + 1`,
        })
        .where("id", "=", accountId)
        .execute();
    },

    async removeMembership(membershipId: string): Promise<void> {
      await db.deleteFrom("memberships").where("id", "=", membershipId).execute();
    },

    /** Empties an account that is in no tenant any more: its name is free again, and nothing personal is left. */
    async emptyAccountWithoutTenant(accountId: string): Promise<void> {
      const emptied = await db
        .updateTable("accounts")
        .set({
          account: sql<string>`'removed-' || id`,
          accountKey: sql<string>`'removed-' || id`,
          realName: "",
          nickName: "",
          avatar: "",
          passwordHash: "",
          status: 0,
          birthday: null,
          sex: 3,
          emailBox: "",
          phoneBox: "",
          phoneIndex: null,
          phoneVerifiedAt: null,
          demoNote: null,
          removedAt: sql<Date>`now()`,
          updatedAt: sql<Date>`now()`,
        })
        .where("id", "=", accountId)
        .where((where) =>
          where.not(
            where.exists(
              where.selectFrom("memberships as m").select("m.id").whereRef("m.accountId", "=", "accounts.id"),
            ),
          ),
        )
        .executeTakeFirst();
      if (emptied.numUpdatedRows > 0n) await db.deleteFrom("messages").where("accountId", "=", accountId).execute();
    },

    tenants: (tenantId: string | undefined, word: string | undefined) => {
      let query = db.selectFrom("tenants").select(["tenantId", "name as tenantName", "type"]);
      if (tenantId !== undefined) query = query.where("tenantId", "=", tenantId);
      if (word) query = query.where("name", "ilike", likeWord(word));
      return query.orderBy("tenantId").limit(200).execute();
    },
  };
}
export type UserRepository = ReturnType<typeof userRepository>;
