import type { HomeSection } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** A section as it is stored: times are those of ISO 8601, "" for none. */
export type StoredSection = HomeSection;

export interface HomeRow {
  version: number;
  sections: StoredSection[];
  publishAt: Date | null;
  scheduledVersion: number | null;
  publishedVersion: number | null;
  publishedAt: Date | null;
  versionNumber: number;
  updateTime: Date;
}

export interface HomeVersionRow {
  number: number;
  sections: StoredSection[];
  savedAt: Date;
}

const personName = sql`coalesce(nullif(u.real_name, ''), u.account)`;
/** Names are told of people in the tenants that a session reaches. */
const isMember = (scope: TenantScope) =>
  sql<SqlBool>`exists (select from memberships m where m.account_id = u.id and ${inScope(scope, "m")})`;

/** The home page and its versions, of which there is one set for the installation. @param db a pool or an open transaction */
export function homePageRepository(db: Kysely<DB>) {
  return {
    /** @param lock held until the transaction ends */
    async find(lock = false): Promise<HomeRow> {
      const { rows } = await sql<HomeRow>`
        select h.version, h.sections, h.publish_at, h.scheduled_version, h.published_version, h.published_at, h.updated_at as update_time,
               coalesce((select max(v.number) from home_page_versions v), 0) as version_number
          from home_page h ${lock ? sql`for update of h` : sql``}`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error("the installation has no home page");
      return row;
    },

    /** Who changed it last; "" where nobody did, or that account is gone. */
    async changer(scope: TenantScope): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select ${personName} as name from home_page h join accounts u on u.id = h.updated_by and ${isMember(scope)}`.execute(
        db,
      );
      return rows[0]?.name ?? "";
    },

    async write(sections: readonly StoredSection[], accountId: string): Promise<void> {
      await sql`update home_page set sections = ${JSON.stringify(sections)}::jsonb, version = version + 1, updated_by = ${accountId},
                       updated_at = now()`.execute(db);
    },

    /** Keeps the page as it is as its next version, unless the newest one is the same. @returns the number of the newest */
    async keep(accountId: string): Promise<number> {
      await sql`
        insert into home_page_versions (number, sections, saved_by)
        select coalesce((select max(n.number) from home_page_versions n), 0) + 1, h.sections, ${accountId} from home_page h
         where not exists (select from home_page_versions v
                            where v.number = (select max(n.number) from home_page_versions n) and v.sections = h.sections)`.execute(
        db,
      );
      const { rows } = await sql<{ number: number }>`select max(number) as number from home_page_versions`.execute(db);
      return rows[0]?.number ?? 0;
    },

    /** @param number one of them alone */
    async versions(scope: TenantScope, { number, limit }: { number?: number; limit: number }) {
      const { rows } = await sql<HomeVersionRow & { savedBy: string }>`
        select v.number, v.sections, v.saved_at, coalesce(${personName}, '') as saved_by
          from home_page_versions v left join accounts u on u.id = v.saved_by and ${isMember(scope)}
         where ${number ?? null}::int is null or v.number = ${number ?? null}
         order by v.number desc limit ${limit}`.execute(db);
      return rows;
    },

    async sectionsOf(number: number): Promise<StoredSection[] | undefined> {
      const { rows } = await sql<{ sections: StoredSection[] }>`
        select sections from home_page_versions where number = ${number}`.execute(db);
      return rows[0]?.sections;
    },

    /** What visitors see; undefined for the standard page. */
    async published(): Promise<StoredSection[] | undefined> {
      const { rows } = await sql<{ sections: StoredSection[] }>`
        select v.sections from home_page h join home_page_versions v on v.number = h.published_version`.execute(db);
      return rows[0]?.sections;
    },

    async publish(number: number, at: Date): Promise<void> {
      await sql`update home_page set published_version = ${number}, published_at = ${at}, publish_at = null, scheduled_version = null,
                       version = version + 1`.execute(db);
    },

    async schedule(number: number, at: Date): Promise<void> {
      await sql`update home_page set publish_at = ${at}, scheduled_version = ${number}, version = version + 1`.execute(
        db,
      );
    },

    /** Takes a time back: what was published before goes on as it is. */
    async unschedule(): Promise<void> {
      await sql`update home_page set publish_at = null, scheduled_version = null, version = version + 1`.execute(db);
    },

    /** Shows visitors the standard page. */
    async withdraw(): Promise<void> {
      await sql`update home_page set published_version = null, version = version + 1`.execute(db);
    },

    /** Number of the version whose time has come, held until the transaction ends. */
    async due(at: Date): Promise<number | undefined> {
      const { rows } = await sql<{ number: number }>`
        select scheduled_version as number from home_page where publish_at <= ${at} for update skip locked`.execute(db);
      return rows[0]?.number;
    },
  };
}
export type HomePageRepository = ReturnType<typeof homePageRepository>;
