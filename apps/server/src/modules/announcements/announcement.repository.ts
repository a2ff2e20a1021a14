import type { AnnouncementAudience, AnnouncementState, announcementReadings, TenantType } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord, ofAccount, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Lists of a chosen audience; an empty one is no condition. */
export interface Conditions {
  tenantKinds: readonly TenantType[];
  regionCodes: readonly string[];
  farmIds: readonly string[];
  tenantIds: readonly string[];
  roleAliases: readonly string[];
}

/** Whom an announcement is for. */
export interface Target extends Conditions {
  audience: AnnouncementAudience;
}

/** Which receivers of an announcement somebody looks for. */
export interface ReceiptFilter {
  id: string;
  reading?: (typeof announcementReadings)[number] | undefined;
  keyword?: string | undefined;
}

export interface ReceiptRow {
  accountId: string;
  account: string;
  contactName: string;
  tenants: string;
  readTime: Date | null;
  remindTime: Date | null;
}

/** Which announcements somebody looks for. */
export interface NoticeFilter {
  /** Announcements that ended before this time are left out, unless everything is shown. */
  now: Date;
  everything?: boolean;
  unread?: boolean;
  title?: string | undefined;
  category?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  id?: string | undefined;
}

export interface AnnouncementRow {
  id: string;
  title: string;
  content: string;
  titleEn: string;
  contentEn: string;
  link: string;
  audience: AnnouncementAudience;
  tenantKinds: TenantType[];
  regionCodes: string[];
  farmIds: string[];
  tenantIds: string[];
  roleAliases: string[];
  state: AnnouncementState;
  dueTime: Date | null;
  sentTime: Date | null;
  endTime: Date | null;
  remindTime: Date | null;
  lastAccountId: string;
  receivers: number;
  readers: number;
  author: string;
  version: number;
  updateTime: Date;
  createTime: Date;
  createUser: string | null;
  /** Key of the dictionary "notice". */
  category: number;
  categoryName: string;
  farms: { id: string; name: string }[];
  tenants: { id: string; name: string }[];
}

export type AnnouncementTexts = Partial<Pick<AnnouncementRow, "category">> &
  Pick<AnnouncementRow, "title" | "content" | "titleEn" | "contentEn" | "link" | "endTime"> &
  Target;

/** Memberships `m` of tenants `t` that a target means, of accounts `a`: who may sign in there. */
function meantBy({ audience, tenantKinds, regionCodes, farmIds, tenantIds, roleAliases }: Target): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`a.status = 1 and a.removed_at is null and m.status = 1 and t.status = 1`];
  if (audience === "customers") conditions.push(sql<SqlBool>`t.type <> 'group'`);
  if (audience === "chosen") {
    const chosen = [
      ...(tenantKinds.length > 0 ? [sql<SqlBool>`t.type = any(${[...tenantKinds]}::text[])`] : []),
      ...(tenantIds.length > 0 ? [sql<SqlBool>`t.tenant_id = any(${[...tenantIds]}::text[])`] : []),
      ...(farmIds.length > 0
        ? [sql<SqlBool>`t.tenant_id in (select f.tenant_id from farms f where f.id = any(${[...farmIds]}::bigint[]))`]
        : []),
      ...(regionCodes.length > 0
        ? [
            sql<SqlBool>`exists (select from unnest(${[...regionCodes]}::text[]) as chosen (code)
              where exists (select from farms f where f.tenant_id = t.tenant_id and starts_with(f.region_code, chosen.code))
                 or exists (select from customer_entries e where e.tenant_id = t.tenant_id and starts_with(e.region_code, chosen.code)))`,
          ]
        : []),
      ...(roleAliases.length > 0
        ? [
            sql<SqlBool>`exists (select from membership_roles mr join roles r on r.id = mr.role_id
              where mr.membership_id = m.id and r.role_alias = any(${[...roleAliases]}::text[]))`,
          ]
        : []),
    ];
    // Without a condition it is nobody's, never everybody's.
    conditions.push(...(chosen.length > 0 ? chosen : [sql<SqlBool>`false`]));
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
const members = sql`accounts a join memberships m on m.account_id = a.id join tenants t on t.tenant_id = m.tenant_id`;

/** Columns of a draft. */
const written = ({ endTime, farmIds, category, ...texts }: AnnouncementTexts) => ({
  ...texts,
  tenantKinds: [...texts.tenantKinds],
  regionCodes: [...texts.regionCodes],
  tenantIds: [...texts.tenantIds],
  roleAliases: [...texts.roleAliases],
  farmIds: sql<string[]>`${[...farmIds]}::bigint[]`,
  endsAt: endTime,
  ...(category !== undefined && { category }),
});

const receiptTables = sql`announcement_receipts r join accounts a on a.id = r.account_id`;
const tenantNames = sql`coalesce((select string_agg(t.name, ',' order by t.name) from memberships m join tenants t on t.tenant_id = m.tenant_id
  where m.account_id = a.id), '')`;
const receiptColumns = sql`a.id as account_id, a.account, ${personName("a")} as contact_name, ${tenantNames} as tenants,
  r.read_at as read_time, r.reminded_at as remind_time`;
const received = ({ id, reading, keyword }: ReceiptFilter): RawBuilder<SqlBool>[] => [
  sql<SqlBool>`r.announcement_id = ${id}`,
  ...(reading === undefined ? [] : [sql<SqlBool>`(r.read_at is not null) = ${reading === "read"}`]),
  ...(keyword
    ? [
        // The name is shown shortened, so only the whole of it finds: by its parts it could be told character by character.
        sql<SqlBool>`(a.account ilike ${likeWord(keyword)} or lower(${personName("a")}) = lower(${keyword}) or ${tenantNames} ilike ${likeWord(keyword)})`,
      ]
    : []),
];

const columns = sql`
  n.id, n.title, n.content, n.title_en, n.content_en, n.link, n.audience, n.tenant_kinds, n.region_codes,
  n.farm_ids::text[] as farm_ids, n.tenant_ids, n.role_aliases, n.state,
  n.due_at as due_time, n.sent_at as sent_time, n.ends_at as end_time, n.reminded_at as remind_time, n.last_account_id, n.version, n.updated_at as update_time,
  n.created_at as create_time, n.created_by::text as create_user, n.category,
  coalesce((select d.dict_value from dictionaries d where d.code = 'notice' and d.dict_key = n.category::text), '') as category_name,
  (select count(*)::int from announcement_receipts r where r.announcement_id = n.id) as receivers,
  (select count(r.read_at)::int from announcement_receipts r where r.announcement_id = n.id) as readers,
  coalesce((select coalesce(nullif(p.real_name, ''), p.account) from accounts p where p.id = n.created_by), '') as author,
  coalesce((select jsonb_agg(jsonb_build_object('id', f.id::text, 'name', f.name) order by f.id) from farms f where f.id = any(n.farm_ids)), '[]') as farms,
  coalesce((select jsonb_agg(jsonb_build_object('id', t.tenant_id, 'name', t.name) order by t.name) from tenants t where t.tenant_id = any(n.tenant_ids)), '[]') as tenants`;

/**
 * What the group tells many: it belongs to nobody, and goes to whomever it names.
 * @param db a pool or an open transaction
 */
export function announcementRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    page: (state: AnnouncementState | undefined, request: PageRange) =>
      readList<AnnouncementRow>(
        db,
        {
          table: sql`announcements n`,
          where: state ? [sql<SqlBool>`n.state = ${state}`] : [],
          order: [{ by: sql`n.id`, descending: true }],
          columns,
          key: "n.id",
        },
        request,
      ),

    /**
     * What an account may read, newest first: what reached it and has not ended, and everything where it may see announcements.
     * @param everything whether drafts and what is scheduled are shown, too @param unread only what it has not read
     */
    readable: (
      reader: AccountScope,
      { now, everything = false, unread = false, title, category, from, to, id }: NoticeFilter,
      request: PageRange,
    ) => {
      const reached = sql<SqlBool>`exists (select from announcement_receipts r where r.announcement_id = n.id
        and ${ofAccount(reader, "r")} ${unread ? sql`and r.read_at is null` : sql``})`;
      const released = sql`coalesce(n.sent_at, n.due_at, n.created_at)`;
      const where = [
        everything
          ? sql<SqlBool>`true`
          : sql<SqlBool>`(n.state in ('sending', 'sent') and (n.ends_at is null or n.ends_at > ${now}) and ${reached})`,
        ...(title ? [sql<SqlBool>`n.title ilike ${likeWord(title)}`] : []),
        ...(category === undefined ? [] : [sql<SqlBool>`n.category = ${category}`]),
        ...(from ? [sql<SqlBool>`${released} >= ${from}`] : []),
        ...(to ? [sql<SqlBool>`${released} < ${to}`] : []),
        ...(id === undefined ? [] : [sql<SqlBool>`n.id = ${id}`]),
      ];
      return readList<AnnouncementRow>(
        db,
        { table: sql`announcements n`, where, order: [{ by: sql`n.id`, descending: true }], columns, key: "n.id" },
        request,
      );
    },

    /** The newest messages of an account. */
    messages: async (reader: AccountScope, limit: number) => {
      const { rows } = await sql<{ id: string; title: string; category: string; at: Date }>`
        select m.id::text, m.title, m.kind as category, m.created_at as at from messages m
         where ${ofAccount(reader, "m")} order by m.id desc limit ${limit}`.execute(db);
      return rows;
    },

    async find(id: string, lock = false): Promise<AnnouncementRow | undefined> {
      if (lock) await sql`select from announcements n where n.id = ${id} for update`.execute(db);
      const { rows } = await sql<AnnouncementRow>`select ${columns} from announcements n where n.id = ${id}`.execute(
        db,
      );
      return rows[0];
    },

    async insert(id: string, createdBy: string, texts: AnnouncementTexts): Promise<void> {
      await db
        .insertInto("announcements")
        .values({ id, createdBy, ...written(texts) })
        .execute();
    },

    async change(id: string, texts: AnnouncementTexts): Promise<void> {
      await db
        .updateTable("announcements")
        .set({ ...written(texts), version: sql`version + 1`, updatedAt: sql<Date>`now()` })
        .where("id", "=", id)
        .execute();
    },

    /** Callers hold its lock and looked at its state. */
    async move(id: string, state: AnnouncementState, dueAt?: Date | null): Promise<void> {
      await sql`update announcements n set state = ${state}, version = n.version + 1, updated_at = now(),
          due_at = ${dueAt === undefined ? sql`n.due_at` : sql`${dueAt}::timestamptz`},
          sent_at = ${state === "sent" ? sql`now()` : sql`n.sent_at`}
        where n.id = ${id}`.execute(db);
    },

    async remove(id: string): Promise<void> {
      await sql`delete from announcements n where n.id = ${id}`.execute(db);
    },

    async reach(target: Target): Promise<{ receivers: number; tenants: number }> {
      const { rows } = await sql<{ receivers: number; tenants: number }>`
        select count(distinct a.id)::int as receivers, count(distinct t.tenant_id)::int as tenants
          from ${members} where ${meantBy(target)}`.execute(db);
      return rows[0] ?? { receivers: 0, tenants: 0 };
    },

    async farms(word: string | undefined, limit: number) {
      const { rows } = await sql<{ id: string; name: string; customer: string }>`
        select f.id, f.name, t.name as customer from farms f join tenants t on t.tenant_id = f.tenant_id
         where ${word ? sql`(f.name ilike ${likeWord(word)} or t.name ilike ${likeWord(word)})` : sql`true`}
         order by t.name, f.sort, f.id limit ${limit}`.execute(db);
      return rows;
    },

    async tenants(word: string | undefined, limit: number) {
      const { rows } = await sql<{ id: string; name: string }>`
        select t.tenant_id as id, t.name from tenants t
         where t.status = 1 and ${word ? sql`t.name ilike ${likeWord(word)}` : sql`true`} order by t.name, t.tenant_id limit ${limit}`.execute(
        db,
      );
      return rows;
    },

    /** How many of the rows that conditions name exist. */
    async known({ regionCodes, farmIds, tenantIds, roleAliases }: Conditions) {
      const { rows } = await sql<{
        regionCodes: number;
        farmIds: number;
        tenantIds: number;
        roleAliases: number;
      }>`select
        (select count(*)::int from regions g where g.code = any(${[...regionCodes]}::text[])) as region_codes,
        (select count(*)::int from farms f where f.id = any(${[...farmIds]}::bigint[])) as farm_ids,
        (select count(*)::int from tenants t where t.tenant_id = any(${[...tenantIds]}::text[])) as tenant_ids,
        (select count(distinct r.role_alias)::int from roles r where r.role_alias = any(${[...roleAliases]}::text[])) as role_aliases`.execute(
        db,
      );
      return rows[0] ?? { regionCodes: 0, farmIds: 0, tenantIds: 0, roleAliases: 0 };
    },

    /** One that is due or was broken off, held by this transaction alone. */
    async takeDue(now: Date): Promise<AnnouncementRow | undefined> {
      const { rows } = await sql<{ id: string }>`
        select n.id from announcements n where n.state in ('scheduled', 'sending') and n.due_at <= ${now}
         order by n.due_at, n.id limit 1 for update skip locked`.execute(db);
      const [due] = rows;
      if (due === undefined) return undefined;
      const found = await sql<AnnouncementRow>`select ${columns} from announcements n where n.id = ${due.id}`.execute(
        db,
      );
      return found.rows[0];
    },

    /** The next accounts that it is for, in the order of their ids. */
    async receiversAfter(target: Target, lastAccountId: string, limit: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select a.id::text as id from accounts a
         where a.id > ${lastAccountId} and exists (select from memberships m join tenants t on t.tenant_id = m.tenant_id
           where m.account_id = a.id and ${meantBy(target)}) order by a.id limit ${limit}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Leaves it with some accounts, once each: whoever has a receipt gets no second message. */
    async deliver(of: AnnouncementRow, messages: readonly { id: string; accountId: string }[]): Promise<void> {
      await sql`
        with chosen as (
          select * from unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ accountId }) => accountId)}::bigint[]) as c (id, account_id)),
        fresh as (
          insert into announcement_receipts (announcement_id, account_id) select ${of.id}, c.account_id from chosen c
          on conflict do nothing returning account_id)
        insert into messages (id, account_id, kind, title, content, title_en, content_en, link, announcement_id)
        select c.id, c.account_id, 'announcement', ${of.title}, ${of.content}, ${of.titleEn}, ${of.contentEn}, ${of.link}, ${of.id}
          from chosen c join fresh f on f.account_id = c.account_id order by c.id`.execute(db);
    },

    async reached(id: string, lastAccountId: string): Promise<void> {
      await sql`update announcements n set last_account_id = ${lastAccountId} where n.id = ${id}`.execute(db);
    },

    receipts: (filter: ReceiptFilter, request: PageRange) =>
      readList<ReceiptRow>(
        db,
        {
          table: receiptTables,
          where: received(filter),
          order: [
            { by: sql`r.read_at is null`, descending: true },
            { by: sql`r.read_at`, descending: true },
            { by: sql`r.account_id` },
          ],
          columns: receiptColumns,
        },
        request,
      ),

    /** Receivers after one of them, for a file. */
    async receiptsAfter(filter: ReceiptFilter, last: ReceiptRow | undefined, limit: number): Promise<ReceiptRow[]> {
      const { rows } = await sql<ReceiptRow>`
        select ${receiptColumns} from ${receiptTables} where ${sql.join(received(filter), sql` and `)}
           and ${last ? sql`r.account_id > ${last.accountId}` : sql`true`} order by r.account_id limit ${limit}`.execute(
        db,
      );
      return rows;
    },

    /** Receivers who have not read it, are still of its audience, and were not reminded since a time. */
    async toRemind(of: AnnouncementRow, since: Date, limit: number): Promise<{ ids: string[]; total: number }> {
      const { rows } = await sql<{ id: string; total: number }>`
        select r.account_id::text as id, count(*) over ()::int as total
          from announcement_receipts r
         where r.announcement_id = ${of.id} and r.read_at is null and (r.reminded_at is null or r.reminded_at < ${since})
           and exists (select from ${members} where a.id = r.account_id and ${meantBy(of)})
         order by r.account_id limit ${limit}`.execute(db);
      return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
    },

    /** Begins to remind, or ends it. @param at undefined to end */
    async setReminding(id: string, at: Date | undefined): Promise<void> {
      await sql`update announcements n set reminding = ${at !== undefined}, updated_at = now(),
          ${at === undefined ? sql`version = n.version` : sql`reminded_at = ${at}, version = n.version + 1`} where n.id = ${id}`.execute(
        db,
      );
    },

    /** One whose readers are being reminded, held by this transaction alone. */
    async takeReminding(): Promise<AnnouncementRow | undefined> {
      const { rows } = await sql<{ id: string }>`
        select n.id from announcements n where n.reminding and n.state = 'sent' order by n.id limit 1 for update skip locked`.execute(
        db,
      );
      return rows[0] && this.find(rows[0].id);
    },

    /** Leaves it with some accounts anew, in place of the message that they did not read. */
    async remind(of: AnnouncementRow, at: Date, messages: readonly { id: string; accountId: string }[]): Promise<void> {
      const accounts = messages.map(({ accountId }) => accountId);
      await sql`delete from messages m where m.announcement_id = ${of.id} and m.account_id = any(${accounts}::bigint[])`.execute(
        db,
      );
      await sql`
        with noted as (
          update announcement_receipts r set reminded_at = ${at}
           where r.announcement_id = ${of.id} and r.account_id = any(${accounts}::bigint[]))
        insert into messages (id, account_id, kind, title, content, title_en, content_en, link, announcement_id)
        select c.id, c.account_id, 'announcement', ${of.title}, ${of.content}, ${of.titleEn}, ${of.contentEn}, ${of.link}, ${of.id}
          from unnest(${messages.map(({ id }) => id)}::bigint[], ${accounts}::bigint[]) as c (id, account_id) order by c.id`.execute(
        db,
      );
    },

    /** Ends what is over, and takes it out of the lists of those who have it. */
    async expire(now: Date): Promise<void> {
      await sql`
        with over as (
          update announcements n set state = 'ended', reminding = false, version = n.version + 1, updated_at = now()
           where n.state in ('sending', 'sent') and n.ends_at <= ${now} returning n.id)
        delete from messages m using over where m.announcement_id = over.id`.execute(db);
    },

    /** Takes it out of the lists of those who have it; what goes by other ways and was not sent yet goes with it. */
    async takeBack(id: string): Promise<void> {
      await sql`delete from messages m where m.announcement_id = ${id}`.execute(db);
    },
  };
}
export type AnnouncementRepository = ReturnType<typeof announcementRepository>;
