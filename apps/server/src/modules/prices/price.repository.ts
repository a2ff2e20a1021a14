import type { PriceBreed, PriceState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface PriceDayRow {
  id: string;
  day: string;
  publishAt: Date;
  publishedAt: Date | null;
  example: boolean;
}

export interface PriceEntryRow {
  regionCode: string;
  breed: PriceBreed;
  fen: number | null;
  state: PriceState;
  enteredBy: string | null;
  enteredName: string;
  enteredAt: Date;
  confirmedBy: string | null;
  confirmedName: string;
  note: string;
  returnReason: string;
  version: number;
}

export interface PriceCorrectionRow {
  id: string;
  day: string;
  regionCode: string;
  breed: PriceBreed;
  oldFen: number | null;
  newFen: number | null;
  reason: string;
  state: "waiting" | "confirmed" | "returned";
  enteredBy: string | null;
  enteredName: string;
  enteredAt: Date;
  decidedName: string;
  decidedAt: Date | null;
  returnReason: string;
}

/** A published price. */
export interface PublishedPrice {
  regionCode: string;
  breed: PriceBreed;
  fen: number;
}

/** A province and breed. */
export interface PriceKey {
  regionCode: string;
  breed: PriceBreed;
}

const dayColumns = sql`id::text as id, to_char(price_day, 'YYYY-MM-DD') as day, publish_at, published_at, example`;
const correctionColumns = sql`c.id::text as id, to_char(c.price_day, 'YYYY-MM-DD') as day, c.region_code, c.breed, c.old_fen, c.new_fen,
  c.reason, c.state, c.entered_by::text as entered_by, c.entered_name, c.entered_at, c.decided_name, c.decided_at, c.return_reason`;

/** Prices are the group's own, not a customer's. @param db a pool or an open transaction */
export function priceRepository(db: Kysely<DB>) {
  return {
    /** What a person is called where they stand behind a price. */
    async nameOf({ accountId }: TenantScope): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select coalesce(nullif(real_name, ''), account) as name from accounts where id = ${accountId}`.execute(db);
      return rows[0]?.name ?? "";
    },

    async day(day: string): Promise<PriceDayRow | undefined> {
      const { rows } = await sql<PriceDayRow>`select ${dayColumns} from price_days where price_day = ${day}`.execute(
        db,
      );
      return rows[0];
    },

    /** When the newest day up to one is published; undefined where there is none. */
    async newestPublishAt(upTo: string): Promise<Date | undefined> {
      const { rows } = await sql<{ publishAt: Date }>`
        select publish_at from price_days where price_day <= ${upTo} order by price_day desc limit 1`.execute(db);
      return rows[0]?.publishAt;
    },

    /** The day, held until the transaction ends; made where it is not there. */
    async hold(day: string, made: { id: string; publishAt: Date }): Promise<PriceDayRow> {
      await sql`insert into price_days (id, price_day, publish_at) values (${made.id}, ${day}, ${made.publishAt})
                on conflict (price_day) do nothing`.execute(db);
      const { rows } = await sql<PriceDayRow>`
        select ${dayColumns} from price_days where price_day = ${day} for update`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error(`the price day ${day} is not there`);
      return row;
    },

    async schedule(day: string, at: Date): Promise<void> {
      await sql`update price_days set publish_at = ${at} where price_day = ${day}`.execute(db);
    },

    async entries(day: string): Promise<PriceEntryRow[]> {
      const { rows } = await sql<PriceEntryRow>`
        select region_code, breed, fen, state, entered_by::text as entered_by, entered_name, entered_at,
               confirmed_by::text as confirmed_by, confirmed_name, note, return_reason, version
          from price_entries where price_day = ${day}`.execute(db);
      return rows;
    },

    /** The newest published price of each province and breed in the days before one. @param days how many are looked at */
    async before(day: string, days: number): Promise<(PublishedPrice & { day: string })[]> {
      const { rows } = await sql<PublishedPrice & { day: string }>`
        select distinct on (region_code, breed) region_code, breed, fen, to_char(price_day, 'YYYY-MM-DD') as day
          from price_entries
         where price_day < ${day}::date and price_day >= ${day}::date - ${days}::int and state = 'published' and fen is not null
         order by region_code, breed, price_day desc`.execute(db);
      return rows;
    },

    /** Writes an entry that is not published. */
    async enter(
      day: string,
      { regionCode, breed }: PriceKey,
      { fen, state, note }: { fen: number; state: "ready" | "waiting"; note: string },
      by: { accountId: string; name: string },
    ): Promise<void> {
      await sql`
        insert into price_entries (price_day, region_code, breed, fen, state, note, entered_by, entered_name)
        values (${day}, ${regionCode}, ${breed}, ${fen}, ${state}, ${note}, ${by.accountId}, ${by.name})
        on conflict (price_day, region_code, breed) do update
          set fen = excluded.fen, state = excluded.state, note = excluded.note, entered_by = excluded.entered_by,
              entered_name = excluded.entered_name, entered_at = now(), confirmed_by = null, confirmed_name = '', confirmed_at = null,
              return_reason = '', version = price_entries.version + 1
        where price_entries.state <> 'published'`.execute(db);
    },

    async clear(day: string, { regionCode, breed }: PriceKey): Promise<void> {
      await sql`delete from price_entries where price_day = ${day} and region_code = ${regionCode} and breed = ${breed}
                   and state <> 'published'`.execute(db);
    },

    async confirm(
      day: string,
      { regionCode, breed }: PriceKey,
      by: { accountId: string; name: string },
    ): Promise<boolean> {
      const { rows } = await sql`
        update price_entries set state = 'ready', confirmed_by = ${by.accountId}, confirmed_name = ${by.name}, confirmed_at = now(),
                                 version = version + 1
         where price_day = ${day} and region_code = ${regionCode} and breed = ${breed} and state = 'waiting'
           and entered_by is distinct from ${by.accountId}
        returning 1`.execute(db);
      return rows.length > 0;
    },

    async sendBack(day: string, { regionCode, breed }: PriceKey, reason: string): Promise<void> {
      await sql`update price_entries set state = 'returned', return_reason = ${reason}, version = version + 1
                 where price_day = ${day} and region_code = ${regionCode} and breed = ${breed} and state = 'waiting'`.execute(
        db,
      );
    },

    /** Lets what was ready wait for a second person. */
    async keepBack(day: string, { regionCode, breed }: PriceKey): Promise<void> {
      await sql`update price_entries set state = 'waiting', version = version + 1
                 where price_day = ${day} and region_code = ${regionCode} and breed = ${breed} and state = 'ready'`.execute(
        db,
      );
    },

    /** Days with prices that are ready and whose time has come, the oldest first. */
    async due(at: Date): Promise<string[]> {
      const { rows } = await sql<{ day: string }>`
        select to_char(d.price_day, 'YYYY-MM-DD') as day from price_days d
         where d.publish_at <= ${at}
           and exists (select from price_entries e where e.price_day = d.price_day and e.state = 'ready')
         order by d.price_day limit 40`.execute(db);
      return rows.map(({ day }) => day);
    },

    /** Publishes what is ready of a day. @returns what was published */
    async publish(day: string, at: Date): Promise<PublishedPrice[]> {
      const { rows } = await sql<PublishedPrice>`
        update price_entries set state = 'published', version = version + 1
         where price_day = ${day} and state = 'ready' returning region_code, breed, fen`.execute(db);
      if (rows.length > 0)
        await sql`update price_days set published_at = coalesce(published_at, ${at}) where price_day = ${day}`.execute(
          db,
        );
      return rows;
    },

    /** The newest day that was published. */
    async newest(): Promise<PriceDayRow | undefined> {
      const { rows } = await sql<PriceDayRow>`
        select ${dayColumns} from price_days where published_at is not null order by price_day desc limit 1`.execute(
        db,
      );
      return rows[0];
    },

    /** Published prices of days, both included. */
    async published(from: string, to: string): Promise<(PublishedPrice & { day: string })[]> {
      const { rows } = await sql<PublishedPrice & { day: string }>`
        select to_char(price_day, 'YYYY-MM-DD') as day, region_code, breed, fen from price_entries
         where price_day between ${from}::date and ${to}::date and state = 'published' and fen is not null`.execute(db);
      return rows;
    },

    async propose(
      id: string,
      day: string,
      { regionCode, breed }: PriceKey,
      { oldFen, newFen, reason }: { oldFen: number | null; newFen: number | null; reason: string },
      by: { accountId: string; name: string },
    ): Promise<void> {
      await sql`
        insert into price_corrections (id, price_day, region_code, breed, old_fen, new_fen, reason, entered_by, entered_name)
        values (${id}, ${day}, ${regionCode}, ${breed}, ${oldFen}, ${newFen}, ${reason}, ${by.accountId}, ${by.name})`.execute(
        db,
      );
    },

    async correction(id: string): Promise<PriceCorrectionRow | undefined> {
      const { rows } = await sql<PriceCorrectionRow>`
        select ${correctionColumns} from price_corrections c where c.id = ${id} for update`.execute(db);
      return rows[0];
    },

    async decide(
      id: string,
      to: "confirmed" | "returned",
      reason: string,
      by: { accountId: string; name: string },
    ): Promise<void> {
      await sql`update price_corrections set state = ${to}, decided_by = ${by.accountId}, decided_name = ${by.name}, decided_at = now(),
                       return_reason = ${reason} where id = ${id} and state = 'waiting'`.execute(db);
    },

    /** Puts a correction that was confirmed in the place of what was published. */
    async correct({ id, day, regionCode, breed }: PriceCorrectionRow): Promise<void> {
      await sql`
        update price_entries e set fen = c.new_fen, entered_by = c.entered_by, entered_name = c.entered_name, confirmed_by = c.decided_by,
                                   confirmed_name = c.decided_name, confirmed_at = c.decided_at, version = e.version + 1
          from price_corrections c
         where c.id = ${id} and e.price_day = ${day} and e.region_code = ${regionCode} and e.breed = ${breed}`.execute(
        db,
      );
    },

    /** What waits, and the newest that were decided. */
    async corrections(decided: number): Promise<PriceCorrectionRow[]> {
      const { rows } = await sql<PriceCorrectionRow>`
        (select ${correctionColumns} from price_corrections c where c.state = 'waiting' order by c.entered_at limit 100)
        union all
        (select ${correctionColumns} from price_corrections c where c.state <> 'waiting' order by c.decided_at desc limit ${decided})`.execute(
        db,
      );
      return rows;
    },

    /** Corrections that were confirmed, newest first. */
    async confirmed(limit: number): Promise<PriceCorrectionRow[]> {
      const { rows } = await sql<PriceCorrectionRow>`
        select ${correctionColumns} from price_corrections c where c.state = 'confirmed' order by c.decided_at desc limit ${limit}`.execute(
        db,
      );
      return rows;
    },

    /** Published prices of a breed with the newest correction of each, newest day first, for the CSV. */
    async listed(breed: PriceBreed, from: string, to: string) {
      const { rows } = await sql<{
        day: string;
        regionCode: string;
        fen: number | null;
        firstFen: number | null;
        corrected: boolean;
        decidedAt: Date | null;
        reason: string | null;
      }>`
        select to_char(e.price_day, 'YYYY-MM-DD') as day, e.region_code, e.fen, f.old_fen as first_fen, l.id is not null as corrected,
               l.decided_at, l.reason
          from price_entries e
          left join lateral (select c.id, c.decided_at, c.reason from price_corrections c
                              where c.price_day = e.price_day and c.region_code = e.region_code and c.breed = e.breed
                                and c.state = 'confirmed' order by c.decided_at desc limit 1) l on true
          left join lateral (select c.old_fen from price_corrections c
                              where c.price_day = e.price_day and c.region_code = e.region_code and c.breed = e.breed
                                and c.state = 'confirmed' order by c.decided_at limit 1) f on true
         where e.breed = ${breed} and e.price_day between ${from}::date and ${to}::date and e.state = 'published'
         order by e.price_day desc, e.region_code`.execute(db);
      return rows;
    },
  };
}
export type PriceRepository = ReturnType<typeof priceRepository>;
