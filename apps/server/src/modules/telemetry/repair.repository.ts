import type { RejectReason } from "@herdwise/device-kinds";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import type { PackedRow } from "./packing.ts";
import type { TimedReadings } from "./telemetry.repository.ts";

/** A raw row with its time as PostgreSQL writes it, exact to the microsecond. */
export interface RepairRow extends PackedRow {
  ts: string;
  /** ms since 1970. */
  at: number;
}

/** Valid range of a number channel, as far as a roll-up can be checked. */
export interface RolledRange {
  key: string;
  low: number;
  high: number;
}

const repairName = "untrue readings";
const listOf = (items: readonly (string | number)[]): string => `{${items.join(",")}}`;
const hourTime = (hour: number) => sql`to_timestamp(${hour * 3600}::float8)`;

/**
 * Database access for the repair of stored telemetry of all tenants.
 * @param db a pool or an open transaction
 */
export function repairRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /**
     * Progress of the repair: the last finished device, and the hour since 1970 before which the next one is done; undefined
     * when everything is done.
     */
    async progress(): Promise<{ afterDevice: string; doneBefore: number | null } | undefined> {
      return db
        .selectFrom("telemetryRepairs")
        .select(["afterDevice", "doneBefore"])
        .where("name", "=", repairName)
        .where("doneAt", "is", null)
        .executeTakeFirst();
    },

    async noteProgress(afterDevice: string, doneBefore: number | null): Promise<void> {
      await db
        .updateTable("telemetryRepairs")
        .set({ afterDevice, doneBefore })
        .where("name", "=", repairName)
        .execute();
    },

    async done(): Promise<void> {
      await db.updateTable("telemetryRepairs").set({ doneAt: sql`now()` }).where("name", "=", repairName).execute();
    },

    /** The next devices that ever sent data, by id. */
    async devicesAfter(deviceId: string, limit: number): Promise<{ id: string; kind: string; keys: string[] }[]> {
      return db
        .selectFrom("devices as d")
        .innerJoin("telemetryKeys as k", "k.deviceId", "d.id")
        .select(["d.id", "d.kind", "k.keys"])
        .where("d.id", ">", deviceId)
        .orderBy("d.id")
        .limit(limit)
        .execute();
    },

    /** The first hour since 1970 with raw rows. */
    async rawFromHour(): Promise<number> {
      const { rows } = await sql<{ hour: number }>`
        select ceil(extract(epoch from raw_from) / 3600)::int as hour from telemetry_retention`.execute(db);
      return rows[0]?.hour ?? 0;
    },

    /**
     * A page of raw rows of a device in [from, to), hours since 1970, by time.
     * @param after `ts` of the last row of the page before
     */
    async rawRows(
      deviceId: string,
      [from, to]: readonly [number, number],
      after: string | undefined,
      limit: number,
    ): Promise<RepairRow[]> {
      const { rows } = await sql<RepairRow>`
        select ts::text as ts, floor(extract(epoch from ts) * 1000)::float8 as at, packed, readings from telemetry
         where device_id = ${deviceId} and ts >= ${hourTime(from)} and ts < ${hourTime(to)}
           ${after === undefined ? sql`` : sql`and ts > ${after}::timestamptz`}
         order by ts limit ${limit}`.execute(db);
      return rows;
    },

    /** Locks rows, in the order in which the ingest writes a device's rows. */
    async holdRows(deviceId: string, times: readonly string[]): Promise<RepairRow[]> {
      const { rows } = await sql<RepairRow>`
        select ts::text as ts, floor(extract(epoch from ts) * 1000)::float8 as at, packed, readings from telemetry
         where device_id = ${deviceId} and ts = any(${times}::timestamptz[])
           and ts >= ${times[0]}::timestamptz and ts <= ${times.at(-1)}::timestamptz
         order by ts for update`.execute(db);
      return rows;
    },

    async writeRow(deviceId: string, { ts, packed, readings }: RepairRow): Promise<void> {
      await sql`update telemetry set packed = ${packed}, readings = ${readings === null ? null : JSON.stringify(readings)}::jsonb
        where device_id = ${deviceId} and ts = ${ts}::timestamptz`.execute(db);
    },

    /** Adds to the number of a channel's rejected readings, and stores the newest text by time. */
    async addRejected(
      deviceId: string,
      counts: readonly { key: string; reason: RejectReason; readings: number; lastText: string; lastAt: number }[],
    ): Promise<void> {
      for (const { key, reason, readings, lastText, lastAt } of counts) {
        await sql`insert into device_rejected_readings as held (device_id, key, reason, readings, last_text, last_at)
          values (${deviceId}, ${key}, ${reason}, ${readings}, ${lastText}, ${new Date(lastAt)})
          on conflict (device_id, key, reason) do update set
            readings = held.readings + excluded.readings,
            last_text = case when excluded.last_at >= held.last_at then excluded.last_text else held.last_text end,
            last_at = greatest(held.last_at, excluded.last_at)`.execute(db);
      }
    },

    /** Hours since 1970 in [from, to) with a roll-up outside its channel's range. */
    async hoursOutside(
      deviceId: string,
      ranges: readonly RolledRange[],
      [from, to]: readonly [number, number],
    ): Promise<{ key: string; hour: number }[]> {
      const { rows } = await sql<{ key: string; hour: number }>`
        select h.key, (extract(epoch from h.hour) / 3600)::int as hour
          from unnest(${ranges.map(({ key }) => key)}::text[], ${listOf(ranges.map(({ low }) => low))}::float8[],
                      ${listOf(ranges.map(({ high }) => high))}::float8[]) as r (key, low, high)
          join telemetry_hours h on h.device_id = ${deviceId} and h.key = r.key
         where h.hour >= ${hourTime(from)} and h.hour < ${hourTime(to)} and (h.min < r.low or h.max > r.high)
         order by h.key, h.hour`.execute(db);
      return rows;
    },

    /** First and last hour since 1970 with raw rows or hourly roll-ups of a device. */
    async spanOf(deviceId: string): Promise<readonly [number, number] | undefined> {
      const { rows } = await sql<{ first: number | null; last: number | null }>`
        select floor(extract(epoch from min(at)) / 3600)::int as first, floor(extract(epoch from max(at)) / 3600)::int as last
          from ((select ts as at from telemetry where device_id = ${deviceId} order by ts limit 1)
                union all (select ts from telemetry where device_id = ${deviceId} order by ts desc limit 1)) t`.execute(
        db,
      );
      const { first, last } = rows[0] ?? {};
      return first == null || last == null ? undefined : [first, last + 1];
    },

    /** Removes hourly roll-ups of keys before they are computed again. */
    async dropHours(deviceId: string, keys: readonly string[], hours: readonly number[]): Promise<void> {
      const times = hours.map((hour) => new Date(hour * 3_600_000));
      for (const table of ["telemetryHours", "telemetryMinutes"] as const) {
        await db
          .deleteFrom(table)
          .where("deviceId", "=", deviceId)
          .where("key", "in", [...keys])
          .where("hour", "in", times)
          .execute();
      }
    },

    /**
     * Removes the daily roll-up of keys.
     * @param day days since 1970
     */
    async dropDay(deviceId: string, keys: readonly string[], day: number): Promise<void> {
      await db
        .deleteFrom("telemetryDays")
        .where("deviceId", "=", deviceId)
        .where("key", "in", [...keys])
        .where(sql<boolean>`day = date '1970-01-01' + ${day}::int`)
        .execute();
    },

    /**
     * Marks days with a roll-up that is still outside its channel's range.
     * @returns number of days that were not marked before
     */
    async markDays(deviceId: string, ranges: readonly RolledRange[]): Promise<number> {
      const { rows: outside } = await sql<{ key: string; day: string }>`
        with ranges as (
          select * from unnest(${ranges.map(({ key }) => key)}::text[], ${listOf(ranges.map(({ low }) => low))}::float8[],
                               ${listOf(ranges.map(({ high }) => high))}::float8[]) as r (key, low, high))
        select d.key, d.day::text as day from ranges r join telemetry_days d on d.device_id = ${deviceId} and d.key = r.key
         where d.min < r.low or d.max > r.high
        union
        select h.key, (h.hour at time zone 'Asia/Shanghai')::date::text
          from ranges r join telemetry_hours h on h.device_id = ${deviceId} and h.key = r.key
         where h.min < r.low or h.max > r.high`.execute(db);
      if (outside.length === 0) return 0;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("telemetryUnreliableDays")
        .values(outside.map(({ key, day }) => ({ deviceId, key, day })))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows ?? 0n);
    },

    async newestReadings(deviceId: string): Promise<TimedReadings> {
      const row = await db
        .selectFrom("deviceReadings")
        .select("readings")
        .where("deviceId", "=", deviceId)
        .executeTakeFirst();
      return (row?.readings ?? {}) as TimedReadings;
    },

    /** Makes newest values unknown, unless a newer one has arrived. */
    async dropNewest(deviceId: string, readings: readonly { key: string; ts: number }[]): Promise<void> {
      for (const { key, ts } of readings) {
        await sql`update device_readings set readings = readings - ${key}::text
          where device_id = ${deviceId} and (readings -> ${key}::text ->> 'ts')::bigint = ${ts}`.execute(db);
      }
    },
  };
}
export type RepairRepository = ReturnType<typeof repairRepository>;
