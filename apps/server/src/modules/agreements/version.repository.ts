import type { AgreementKind, AgreementState } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface VersionText {
  title: string;
  summary: string;
  body: string;
}

export interface VersionRow {
  id: string;
  kind: AgreementKind;
  version: string;
  state: AgreementState;
  publishedAt: Date | null;
  askAgain: boolean;
  title: string;
  titleEn: string;
  consents: number;
  rowVersion: number;
  updateTime: Date;
}

export interface ConsentFilter {
  versionId?: string | undefined;
  kind?: AgreementKind | undefined;
  keyword?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface ConsentRow {
  accountId: string;
  account: string;
  contactName: string;
  tenants: string;
  kind: AgreementKind;
  version: string;
  versionId: string;
  agreeTime: Date;
}

const noText: VersionText = { title: "", summary: "", body: "" };
/** @param scope counts who agreed only for who sees people of every tenant */
const columnsFor = (scope: TenantScope) => sql`
  v.id, v.kind, v.version, v.published_at, v.ask_again, v.row_version, v.updated_at as update_time,
  case when v.published_at is null then 'draft' when v.published_at > now() then 'scheduled'
       when v.published_at = (select max(o.published_at) from agreement_versions o where o.kind = v.kind and o.published_at <= now())
         then 'current' else 'past' end as state,
  coalesce((select t.title from agreement_texts t where t.version_id = v.id and t.lang = 'zh'), '') as title,
  coalesce((select t.title from agreement_texts t where t.version_id = v.id and t.lang = 'en'), '') as title_en,
  case when ${scope.everyTenant} then (select count(*)::int from agreement_consents c where c.version_id = v.id) else 0 end as consents`;
const dayStart = (day: string) => sql`${day}::date::timestamp at time zone 'Asia/Shanghai'`;

/** Versions as the group keeps them; they belong to nobody. @param db a pool or an open transaction */
export function versionRepository(db: Kysely<DB>) {
  const consentTables = sql`
    agreement_consents c join agreement_versions v on v.id = c.version_id join accounts a on a.id = c.account_id`;
  const consented = (
    scope: TenantScope,
    { versionId, kind, keyword, from, to }: ConsentFilter,
  ): RawBuilder<SqlBool>[] => {
    const conditions: RawBuilder<SqlBool>[] = [
      sql<SqlBool>`exists (select from memberships m where m.account_id = c.account_id and ${inScope(scope, "m")})`,
    ];
    if (versionId) conditions.push(sql<SqlBool>`c.version_id = ${versionId}`);
    if (kind) conditions.push(sql<SqlBool>`v.kind = ${kind}`);
    if (keyword)
      conditions.push(
        // The name is shown shortened, so only the whole of it finds: by its parts it could be told character by character.
        sql<SqlBool>`(a.account ilike ${likeWord(keyword)} or lower(coalesce(nullif(a.real_name, ''), a.nick_name)) = lower(${keyword}))`,
      );
    if (from) conditions.push(sql<SqlBool>`c.agreed_at >= ${dayStart(from)}`);
    if (to) conditions.push(sql<SqlBool>`c.agreed_at < ${dayStart(to)} + interval '1 day'`);
    return conditions;
  };
  const consentColumns = sql`
    c.account_id, c.version_id, a.account, coalesce(nullif(a.real_name, ''), a.nick_name) as contact_name, v.kind, v.version, c.agreed_at as agree_time,
    coalesce((select string_agg(t.name, ',' order by m.created_at) from memberships m join tenants t on t.tenant_id = m.tenant_id
               where m.account_id = a.id), '') as tenants`;

  return {
    page: (scope: TenantScope, kind: AgreementKind | undefined, request: PageRange) =>
      readList<VersionRow>(
        db,
        {
          table: sql`agreement_versions v`,
          where: kind ? [sql<SqlBool>`v.kind = ${kind}`] : [],
          order: [
            { by: sql`v.published_at is not null` },
            { by: sql`v.published_at`, descending: true },
            { by: sql`v.id`, descending: true },
          ],
          columns: columnsFor(scope),
          key: "v.id",
        },
        request,
      ),

    async find(scope: TenantScope, id: string, lock = false): Promise<VersionRow | undefined> {
      if (lock) await sql`select from agreement_versions v where v.id = ${id} for update`.execute(db);
      const { rows } =
        await sql<VersionRow>`select ${columnsFor(scope)} from agreement_versions v where v.id = ${id}`.execute(db);
      return rows[0];
    },

    /** The version before one: the newest that was published before it, or of a draft the one in force. */
    async before({ id, kind, publishedAt }: Pick<VersionRow, "id" | "kind" | "publishedAt">) {
      const { rows } = await sql<{ id: string; version: string }>`
        select v.id, v.version from agreement_versions v
         where v.kind = ${kind} and v.id <> ${id} and v.published_at <= now()
           and ${publishedAt === null ? sql`true` : sql`v.published_at < ${publishedAt}`}
         order by v.published_at desc limit 1`.execute(db);
      return rows[0];
    },

    async texts(versionId: string): Promise<Record<"zh" | "en", VersionText>> {
      const rows = await db
        .selectFrom("agreementTexts")
        .select(["lang", "title", "summary", "body"])
        .where("versionId", "=", versionId)
        .execute();
      const of = (lang: "zh" | "en"): VersionText => {
        const found = rows.find((row) => row.lang === lang);
        return found ? { title: found.title, summary: found.summary, body: found.body } : noText;
      };
      return { zh: of("zh"), en: of("en") };
    },

    isUsed: async (kind: AgreementKind, version: string, except: string): Promise<boolean> =>
      (await db
        .selectFrom("agreementVersions")
        .select("id")
        .where("kind", "=", kind)
        .where("version", "=", version)
        .where("id", "!=", except)
        .executeTakeFirst()) !== undefined,

    async insert(row: { id: string; kind: AgreementKind; version: string; askAgain: boolean; createdBy: string }) {
      await db
        .insertInto("agreementVersions")
        .values({ ...row, publishedAt: null })
        .execute();
    },

    async change(id: string, { version, askAgain }: { version: string; askAgain: boolean }): Promise<void> {
      await sql`update agreement_versions v set version = ${version}, ask_again = ${askAgain}, row_version = v.row_version + 1, updated_at = now()
        where v.id = ${id} and v.published_at is null`.execute(db);
    },

    async saveText(versionId: string, lang: "zh" | "en", text: VersionText): Promise<void> {
      await db
        .insertInto("agreementTexts")
        .values({ versionId, lang, ...text })
        .onConflict((conflict) => conflict.columns(["versionId", "lang"]).doUpdateSet({ ...text }))
        .execute();
    },

    /** @param at null for a draft again, undefined for now by the database's clock, which is what tells what is in force */
    async setPublished(id: string, at: Date | null | undefined): Promise<void> {
      await sql`update agreement_versions v set published_at = ${at === undefined ? sql`now()` : sql`${at}::timestamptz`},
                       row_version = v.row_version + 1, updated_at = now()
        where v.id = ${id} and (v.published_at is null or v.published_at > now())`.execute(db);
    },

    async remove(id: string): Promise<void> {
      await sql`delete from agreement_versions v where v.id = ${id} and v.published_at is null`.execute(db);
    },

    consents: (scope: TenantScope, filter: ConsentFilter, request: PageRange) =>
      readList<ConsentRow>(
        db,
        {
          table: consentTables,
          where: consented(scope, filter),
          order: ["agreed_at", "account_id", "version_id"].map((column) => ({
            by: sql.ref(`c.${column}`),
            descending: true,
          })),
          columns: consentColumns,
        },
        request,
      ),

    /** Consents after one of them, for a file. */
    async consentsAfter(
      scope: TenantScope,
      filter: ConsentFilter,
      last: { accountId: string; versionId: string } | undefined,
      limit: number,
    ): Promise<ConsentRow[]> {
      const { rows } = await sql<ConsentRow>`
        select ${consentColumns} from ${consentTables} where ${sql.join(consented(scope, filter), sql` and `)}
           and ${last ? sql`(c.account_id, c.version_id) > (${last.accountId}::bigint, ${last.versionId}::bigint)` : sql`true`}
         order by c.account_id, c.version_id limit ${limit}`.execute(db);
      return rows;
    },
  };
}
export type VersionRepository = ReturnType<typeof versionRepository>;
