import type { Readings } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import type { EventRow } from "./telemetry.parse.ts";

/** A row ready for the table: one device, one time. */
export interface StoredTelemetry {
  deviceId: string;
  /** ms since 1970 */
  ts: number;
  values: Record<string, unknown>;
  clockSkew: boolean;
}

/** What a batch changes in the state of one device. */
export interface StateChange {
  deviceId: string;
  readings: Readings;
  /** Newest device time in the batch, ms since 1970. */
  reportedAt: number;
  /** The device is online until then, ms since 1970. */
  onlineUntil: number;
}

export type HistoryBucket = "minute" | "hour" | "day";

const bucketSql = {
  minute: sql`interval '1 minute'`,
  hour: sql`interval '1 hour'`,
  day: sql`interval '1 day'`,
} as const;

/** `telemetry_20261121` holds the UTC day 2026-11-21. */
const partitionName = (day: string) => `telemetry_${day.replaceAll("-", "")}`;
const dayMs = 86_400_000;
export const utcDay = (ts: number): string => new Date(ts).toISOString().slice(0, 10);

/** @param db a pool or an open transaction */
export function telemetryRepository(db: Kysely<DB>) {
  return {
    async partitions(): Promise<string[]> {
      const rows = await sql<{ day: string }>`
        select to_char(to_date(substr(c.relname, 11), 'YYYYMMDD'), 'YYYY-MM-DD') as day
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'telemetry'::regclass`.execute(db);
      return rows.rows.map(({ day }) => day);
    },

    /** Makes the partition of a UTC day; several servers may do so at once. Attached under a weak lock, so that inserts go on. */
    async createPartition(day: string): Promise<void> {
      const name = partitionName(day);
      const next = utcDay(Date.parse(`${day}T00:00:00Z`) + dayMs);
      await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtext('telemetry partitions'))`.execute(transaction);
        const { rows } = await sql<{ held: string | null }>`select to_regclass(${name})::text as held`.execute(
          transaction,
        );
        if (rows[0]?.held) return;
        await sql`create table ${sql.ref(name)} (like telemetry including defaults)`.execute(transaction);
        await sql`alter table telemetry attach partition ${sql.ref(name)}
          for values from (${sql.lit(`${day} 00:00:00+00`)}) to (${sql.lit(`${next} 00:00:00+00`)})`.execute(
          transaction,
        );
      });
    },

    /** Removes whole days before `day`. */
    async dropPartitionsBefore(day: string): Promise<number> {
      const old = (await this.partitions()).filter((held) => held < day);
      for (const held of old) await sql`drop table ${sql.ref(partitionName(held))}`.execute(db);
      return old.length;
    },

    /**
     * Stores rows once: a second row of the same device and time adds the keys that are new and changes nothing else.
     * Rows must differ in (deviceId, ts) and be sorted by it, so that two servers lock in one order.
     */
    async insert(rows: readonly StoredTelemetry[]): Promise<void> {
      await sql`
        insert into telemetry as held (device_id, ts, readings, clock_skew)
        select r.device_id, to_timestamp(r.ts / 1000.0), r.readings::jsonb, r.clock_skew
          from unnest(${rows.map((row) => row.deviceId)}::bigint[], ${rows.map((row) => row.ts)}::float8[],
                      ${rows.map((row) => JSON.stringify(row.values))}::text[], ${rows.map((row) => row.clockSkew)}::boolean[])
               as r (device_id, ts, readings, clock_skew)
        on conflict (device_id, ts) do update set readings = excluded.readings || held.readings
          where not held.readings @> excluded.readings`.execute(db);
    },

    /** Moves the states of devices on; `changes` sorted by device for the same reason as above. */
    async mergeStates(changes: readonly StateChange[]): Promise<void> {
      await sql`
        insert into device_states as held (device_id, readings, reported_at, online_until)
        select r.device_id, r.readings::jsonb, to_timestamp(r.reported_at / 1000.0), to_timestamp(r.online_until / 1000.0)
          from unnest(${changes.map((row) => row.deviceId)}::bigint[], ${changes.map((row) => JSON.stringify(row.readings))}::text[],
                      ${changes.map((row) => row.reportedAt)}::float8[], ${changes.map((row) => row.onlineUntil)}::float8[])
               as r (device_id, readings, reported_at, online_until)
        on conflict (device_id) do update set
          readings = merge_readings(held.readings, excluded.readings),
          reported_at = greatest(held.reported_at, excluded.reported_at),
          online_until = greatest(held.online_until, excluded.online_until)`.execute(db);
    },

    async insertEvents(deviceId: string, events: readonly EventRow[]): Promise<void> {
      await db
        .insertInto("deviceEvents")
        .values(
          events.map(({ type, eventId, ts, body }) => ({
            deviceId,
            type,
            eventId,
            ts: new Date(ts),
            body: JSON.stringify(body),
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** `[ts, value]` ascending, at most `limit`. */
    async raw(deviceId: string, key: string, start: Date, end: Date, limit: number): Promise<[number, unknown][]> {
      const { rows } = await sql<{ ts: number; value: unknown }>`
        select (extract(epoch from ts) * 1000)::float8 as ts, readings -> ${key} as value from telemetry
         where device_id = ${deviceId} and ts >= ${start} and ts < ${end} and readings ? ${key}
         order by ts limit ${limit}`.execute(db);
      return rows.map(({ ts, value }) => [ts, value]);
    },

    /** `[ts of the bucket, min, avg, max]` of the numbers (true counts 1, false 0); days begin at midnight in Shanghai. */
    async bucketed(
      deviceId: string,
      key: string,
      start: Date,
      end: Date,
      bucket: HistoryBucket,
    ): Promise<[number, number, number, number][]> {
      const { rows } = await sql<{ ts: number; min: number; avg: number; max: number }>`
        select (extract(epoch from at) * 1000)::float8 as ts, min(value) as min, avg(value) as avg, max(value) as max
          from (
            select date_bin(${bucketSql[bucket]}, ts, timestamptz '2000-01-01 00:00:00+08') as at,
                   case jsonb_typeof(readings -> ${key})
                     when 'number' then (readings ->> ${key})::float8
                     when 'boolean' then (readings ->> ${key})::boolean::int::float8 end as value
              from telemetry
             where device_id = ${deviceId} and ts >= ${start} and ts < ${end} and readings ? ${key}) r
         where value is not null
         group by at order by at`.execute(db);
      return rows.map(({ ts, min, avg, max }) => [ts, min, avg, max]);
    },

    /** Adds to the count of stored values of the hour that runs. */
    async addVolume(values: number): Promise<void> {
      await sql`insert into telemetry_volumes as held (hour, stored_values) values (date_trunc('hour', now()), ${values})
        on conflict (hour) do update set stored_values = held.stored_values + excluded.stored_values`.execute(db);
    },

    /** Values stored in the last 24 full hours and the hour that runs. */
    async valuesLastDay(): Promise<number> {
      const { rows } = await sql<{ values: number }>`
        select coalesce(sum(stored_values), 0)::float8 as values from telemetry_volumes
         where hour > now() - interval '24 hours'`.execute(db);
      return rows[0]?.values ?? 0;
    },

    /** Devices that stopped being online in (after, until]. */
    async wentSilent(after: Date, until: Date): Promise<{ deviceId: string; connected: boolean }[]> {
      return db
        .selectFrom("deviceStates")
        .select(["deviceId", "connected"])
        .where("onlineUntil", ">", after)
        .where("onlineUntil", "<=", until)
        .execute();
    },

    /**
     * While no server kept watch nobody could report: who was online when the last server was seen gets the time that was
     * missed on top.
     */
    async forgiveAbsence(lastSeen: Date, awayMs: number): Promise<void> {
      await sql`update device_states set connected = false,
          online_until = case when online_until >= ${lastSeen} then online_until + make_interval(secs => ${awayMs / 1000})
                              else online_until end
        where connected or online_until >= ${lastSeen}`.execute(db);
    },

    async heartbeat(serverId: string): Promise<void> {
      await sql`insert into servers (id, seen_at) values (${serverId}, now())
        on conflict (id) do update set seen_at = now()`.execute(db);
    },

    /** When any server was last seen. */
    async lastHeartbeat(): Promise<Date | undefined> {
      const row = await db.selectFrom("servers").select(sql<Date | null>`max(seen_at)`.as("seenAt")).executeTakeFirst();
      return row?.seenAt ?? undefined;
    },

    async hasTelemetry(): Promise<boolean> {
      const row = await db
        .selectFrom("deviceStates")
        .select("deviceId")
        .where("reportedAt", "is not", null)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type TelemetryRepository = ReturnType<typeof telemetryRepository>;
