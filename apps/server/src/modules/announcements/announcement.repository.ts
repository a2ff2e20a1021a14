import type { AnnouncementAudience, AnnouncementState } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord, ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Whom an announcement is for. */
export interface Target {
  audience: AnnouncementAudience;
  farmIds: readonly string[];
  roleAliases: readonly string[];
}

/** Which announcements somebody looks for. */
export interface NoticeFilter {
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
  farmIds: string[];
  roleAliases: string[];
  state: AnnouncementState;
  dueTime: Date | null;
  sentTime: Date | null;
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
}

export type AnnouncementTexts = Partial<Pick<AnnouncementRow, "category">> &
  Pick<
    AnnouncementRow,
    "title" | "content" | "titleEn" | "contentEn" | "link" | "audience" | "farmIds" | "roleAliases"
  >;

/** Accounts that a target means, as `a`: who may sign in somewhere. */
function meantBy({ audience, farmIds, roleAliases }: Target): RawBuilder<SqlBool> {
  const member = (condition: RawBuilder<SqlBool>) =>
    sql<SqlBool>`exists (select from memberships m join tenants t on t.tenant_id = m.tenant_id
                          where m.account_id = a.id and m.status = 1 and t.status = 1 and ${condition})`;
  switch (audience) {
    case "all":
      return member(sql<SqlBool>`true`);
    case "customers":
      return member(sql<SqlBool>`t.type <> 'group'`);
    case "farms":
      return member(
        sql<SqlBool>`m.tenant_id in (select f.tenant_id from farms f where f.id = any(${[...farmIds]}::bigint[]))`,
      );
    case "roles":
      return member(sql<SqlBool>`exists (select from membership_roles mr join roles r on r.id = mr.role_id
        where mr.membership_id = m.id and r.role_alias = any(${[...roleAliases]}::text[]))`);
  }
}

const columns = sql`
  n.id, n.title, n.content, n.title_en, n.content_en, n.link, n.audience, n.farm_ids::text[] as farm_ids, n.role_aliases, n.state,
  n.due_at as due_time, n.sent_at as sent_time, n.last_account_id, n.version, n.updated_at as update_time,
  n.created_at as create_time, n.created_by::text as create_user, n.category,
  coalesce((select d.dict_value from dictionaries d where d.code = 'notice' and d.dict_key = n.category::text), '') as category_name,
  (select count(*)::int from announcement_receipts r where r.announcement_id = n.id) as receivers,
  (select count(r.read_at)::int from announcement_receipts r where r.announcement_id = n.id) as readers,
  coalesce((select coalesce(nullif(p.real_name, ''), p.account) from accounts p where p.id = n.created_by), '') as author,
  coalesce((select jsonb_agg(jsonb_build_object('id', f.id::text, 'name', f.name) order by f.id) from farms f where f.id = any(n.farm_ids)), '[]') as farms`;

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
     * What an account may read, newest first: what reached it, and everything where it may see announcements.
     * @param everything whether drafts and what is scheduled are shown, too @param unread only what it has not read
     */
    readable: (
      reader: AccountScope,
      { everything = false, unread = false, title, category, from, to, id }: NoticeFilter,
      request: PageRange,
    ) => {
      const received = sql<SqlBool>`exists (select from announcement_receipts r where r.announcement_id = n.id
        and ${ofAccount(reader, "r")} ${unread ? sql`and r.read_at is null` : sql``})`;
      const released = sql`coalesce(n.sent_at, n.due_at, n.created_at)`;
      const where = [
        everything ? sql<SqlBool>`true` : sql<SqlBool>`(n.state in ('sending', 'sent') and ${received})`,
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
      await sql`insert into announcements (id, title, content, title_en, content_en, link, audience, farm_ids, role_aliases, created_by, category)
        values (${id}, ${texts.title}, ${texts.content}, ${texts.titleEn}, ${texts.contentEn}, ${texts.link}, ${texts.audience},
                ${texts.farmIds}::bigint[], ${texts.roleAliases}::text[], ${createdBy}, ${texts.category ?? 1})`.execute(
        db,
      );
    },

    async change(id: string, texts: AnnouncementTexts): Promise<void> {
      await sql`update announcements n set title = ${texts.title}, content = ${texts.content}, title_en = ${texts.titleEn},
          content_en = ${texts.contentEn}, link = ${texts.link}, audience = ${texts.audience}, farm_ids = ${texts.farmIds}::bigint[],
          role_aliases = ${texts.roleAliases}::text[], category = coalesce(${texts.category ?? null}::int, n.category), version = n.version + 1, updated_at = now()
        where n.id = ${id}`.execute(db);
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

    async reach(target: Target): Promise<number> {
      const { rows } = await sql<{ receivers: number }>`
        select count(*)::int as receivers from accounts a where a.status = 1 and a.removed_at is null and ${meantBy(target)}`.execute(
        db,
      );
      return rows[0]?.receivers ?? 0;
    },

    async farms(word: string | undefined, limit: number) {
      const { rows } = await sql<{ id: string; name: string; customer: string }>`
        select f.id, f.name, t.name as customer from farms f join tenants t on t.tenant_id = f.tenant_id
         where ${word ? sql`(f.name ilike ${likeWord(word)} or t.name ilike ${likeWord(word)})` : sql`true`}
         order by t.name, f.sort, f.id limit ${limit}`.execute(db);
      return rows;
    },

    async knownFarms(ids: readonly string[]): Promise<number> {
      const { rows } = await sql<{ known: number }>`
        select count(*)::int as known from farms f where f.id = any(${[...ids]}::bigint[])`.execute(db);
      return rows[0]?.known ?? 0;
    },

    async knownRoles(aliases: readonly string[]): Promise<number> {
      const { rows } = await sql<{ known: number }>`
        select count(distinct r.role_alias)::int as known from roles r where r.role_alias = any(${[...aliases]}::text[])`.execute(
        db,
      );
      return rows[0]?.known ?? 0;
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
         where a.id > ${lastAccountId} and a.status = 1 and a.removed_at is null and ${meantBy(target)} order by a.id limit ${limit}`.execute(
        db,
      );
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

    /** Takes it out of the lists of those who have it; what goes by other ways and was not sent yet goes with it. */
    async takeBack(id: string): Promise<void> {
      await sql`delete from messages m where m.announcement_id = ${id}`.execute(db);
    },
  };
}
export type AnnouncementRepository = ReturnType<typeof announcementRepository>;
