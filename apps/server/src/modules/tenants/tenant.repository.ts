import type { tenantExpiries } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { grantSeededMenus, seedRoles } from "../../database/seeds/foundation.ts";
import { customerRoles } from "../../database/seeds/menus.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

export interface TenantRow {
  id: string;
  tenantId: string;
  tenantName: string;
  type: string;
  domainUrl: string;
  backgroundUrl: string;
  linkman: string;
  contactNumberEncrypted: string;
  address: string;
  accountNumber: number;
  expireTime: Date | null;
  packageId: string | null;
  packageName: string;
  /** Accounts that count against the quota. */
  accountCount: number;
  expiry: (typeof tenantExpiries)[number];
  /** No account can be added. */
  isFull: boolean;
  status: number;
  /** Its customer closed the account. */
  isClosed: boolean;
  createTime: Date;
  updateTime: Date;
}

/** What may be set of a tenant; what is left out stays. */
export interface TenantChange {
  name?: string;
  domainUrl?: string;
  backgroundUrl?: string;
  linkman?: string;
  contactNumberEncrypted?: string;
  contactNumberIndex?: Buffer | null;
  address?: string;
  accountNumber?: number;
  expireTime?: Date | null;
  packageId?: string | null;
  status?: number;
}

/** Columns by which tenants are sorted. */
export const tenantSorts = ["tenant_name", "expire_time", "create_time"] as const;
type TenantSort = (typeof tenantSorts)[number];
const sortColumns: Readonly<Record<TenantSort, RawBuilder<unknown>>> = {
  tenant_name: sql`t.name`,
  expire_time: sql`t.expire_time`,
  create_time: sql`t.created_at`,
};

/** Whose time ends within these days is marked. */
const nearDays = 30;
const expiryConditions: Readonly<Record<(typeof tenantExpiries)[number], RawBuilder<SqlBool>>> = {
  past: sql`t.expire_time <= now()`,
  near: sql`t.expire_time > now() and t.expire_time <= now() + make_interval(days => ${nearDays})`,
  later: sql`t.expire_time > now() + make_interval(days => ${nearDays})`,
  none: sql`t.expire_time is null`,
};

export interface TenantFilter {
  /** Part of the name or the number. */
  keyword?: string | undefined;
  type?: string | undefined;
  status?: number | undefined;
  /** A package, or "none". */
  packageId?: string | undefined;
  expiry?: (typeof tenantExpiries)[number] | undefined;
  tenantId?: string | undefined;
  tenantName?: string | undefined;
  /** Keyed hashes of the number, by every key. */
  contactIndexes?: readonly Buffer[] | undefined;
}

const members = sql`(select count(*)::int from memberships m where m.tenant_id = t.tenant_id)`;
const expiry = sql`case ${sql.join(
  Object.entries(expiryConditions).map(([name, condition]) => sql`when ${condition} then ${sql.lit(name)}`),
  sql` `,
)} end`;
const columns = sql`
  t.id::text as id, t.tenant_id, t.name as tenant_name, t.type, t.domain_url, t.background_url, t.linkman, t.contact_number_encrypted,
  t.address, t.account_number, t.expire_time, t.package_id::text as package_id,
  coalesce((select p.package_name from tenant_packages p where p.id = t.package_id), '') as package_name,
  ${members} as account_count, ${expiry} as expiry, t.account_number >= 0 and ${members} >= t.account_number as is_full, t.status,
  exists (select from customer_entries e where e.tenant_id = t.tenant_id and e.state = 'cancelled') as is_closed, t.created_at as create_time, t.updated_at as update_time`;

/** @param db a pool or an open transaction */
export function tenantRepository(db: Kysely<DB>) {
  return {
    page(
      scope: TenantScope,
      filter: TenantFilter,
      { orders = [], ...range }: PageRange & { orders?: readonly { column: TenantSort; direction: "asc" | "desc" }[] },
    ): Promise<{ rows: TenantRow[]; total: number }> {
      const where = [inScope(scope, "t")];
      if (filter.tenantId) where.push(sql<SqlBool>`t.tenant_id like ${likeWord(filter.tenantId)}`);
      if (filter.tenantName) where.push(sql<SqlBool>`t.name ilike ${likeWord(filter.tenantName)}`);
      if (filter.contactIndexes)
        where.push(sql<SqlBool>`t.contact_number_index = any(${[...filter.contactIndexes]}::bytea[])`);
      if (filter.keyword)
        where.push(
          sql<SqlBool>`(t.name ilike ${likeWord(filter.keyword)} or t.tenant_id like ${likeWord(filter.keyword)})`,
        );
      if (filter.type) where.push(sql<SqlBool>`t.type = ${filter.type}`);
      if (filter.status !== undefined) where.push(sql<SqlBool>`t.status = ${filter.status}`);
      if (filter.packageId === "none") where.push(sql<SqlBool>`t.package_id is null`);
      else if (filter.packageId) where.push(sql<SqlBool>`t.package_id::text = ${filter.packageId}`);
      if (filter.expiry) where.push(expiryConditions[filter.expiry]);
      const order = [
        ...orders.map(({ column, direction }) => ({
          by: sortColumns[column],
          descending: direction === "desc",
          nullsLast: column === "expire_time",
        })),
        { by: sql`t.tenant_id` },
      ];
      return readList<TenantRow>(db, { table: sql`tenants t`, where, order, columns, key: "t.tenant_id" }, range);
    },

    /** Tenants by their row ids or their numbers, held until the transaction ends where `lock` says so. */
    async byIds(scope: TenantScope, ids: readonly string[], lock = false): Promise<TenantRow[]> {
      const { rows } = await sql<TenantRow>`
        select ${columns} from tenants t
         where (t.id = any(${[...ids]}::bigint[]) or t.tenant_id = any(${[...ids]}::text[])) and ${inScope(scope, "t")}
         order by t.tenant_id ${lock ? sql`for no key update` : sql``}`.execute(db);
      return rows;
    },

    async change(scope: TenantScope, tenantId: string, change: TenantChange): Promise<void> {
      await db
        .updateTable("tenants")
        .set({ ...change, updatedAt: sql<Date>`now()` })
        .where("tenantId", "=", tenantId)
        .where(inScope(scope, "tenants"))
        .execute();
    },

    /** Whether another tenant has the host. */
    domainIsTaken: async (scope: TenantScope, domain: string, exceptTenantId: string): Promise<boolean> =>
      (await db
        .selectFrom("tenants")
        .select("tenantId")
        .where(sql<SqlBool>`lower(domain_url) = ${domain.toLowerCase()}`)
        .where("tenantId", "!=", exceptTenantId)
        .where(inScope(scope, "tenants"))
        .executeTakeFirst()) !== undefined,

    /**
     * A tenant with its roles, a department, a post and an administrator who holds the owner's role and must choose a password.
     * @returns its ids and the login name of the administrator
     */
    async insert(
      { accountId, departmentId }: TenantScope,
      name: string,
      passwordHash: string,
      nextId: () => string,
    ): Promise<{ id: string; tenantId: string; account: string }> {
      const { tenantId, id } = await db
        .insertInto("tenants")
        .values({ tenantId: sql<string>`nextval('tenant_numbers')::text`, name, type: "enterprise" })
        .returning(["tenantId", sql<string>`id::text`.as("id")])
        .executeTakeFirstOrThrow();
      await seedRoles(db, tenantId, customerRoles, nextId);
      await grantSeededMenus(db, tenantId);
      const [department, post, account, membership] = [nextId(), nextId(), nextId(), nextId()];
      const author = { createdBy: accountId, createdDept: departmentId || null };
      await db
        .insertInto("departments")
        .values({ id: department, tenantId, deptName: name, fullName: name, deptCategory: "1", ...author })
        .execute();
      await db
        .insertInto("posts")
        .values({ id: post, tenantId, postCode: "ceo", postName: "首席执行官", category: "1", ...author })
        .execute();
      const login = `admin${tenantId}`;
      await db
        .insertInto("accounts")
        .values({
          id: account,
          account: login,
          accountKey: login,
          type: "enterprise",
          nickName: "管理员",
          passwordHash,
          passwordMustChange: true,
        })
        .execute();
      await db
        .insertInto("memberships")
        .values({ id: membership, accountId: account, tenantId, ...author })
        .execute();
      await sql`insert into membership_roles (membership_id, role_id)
        select ${membership}, r.id from roles r where r.tenant_id = ${tenantId} and r.role_alias = 'owner'`.execute(db);
      await db
        .insertInto("membershipDepartments")
        .values({ membershipId: membership, departmentId: department })
        .execute();
      await db.insertInto("membershipPosts").values({ membershipId: membership, postId: post }).execute();
      return { id, tenantId, account: login };
    },

    /** Whose log-in page stands at a host, for people without a session. */
    async ofDomain(
      scope: SystemScope,
      domain: string,
    ): Promise<{ tenantId: string; domain: string; backgroundUrl: string } | undefined> {
      requireSystemScope(scope);
      return db
        .selectFrom("tenants")
        .select(["tenantId", "domainUrl as domain", "backgroundUrl"])
        .where(sql<SqlBool>`lower(domain_url) = ${domain.toLowerCase()} and domain_url <> ''`)
        .where("status", "=", 1)
        .executeTakeFirst();
    },
  };
}
export type TenantRepository = ReturnType<typeof tenantRepository>;
