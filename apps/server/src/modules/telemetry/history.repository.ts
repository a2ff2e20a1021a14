import { hash } from "node:crypto";
import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach } from "../../database/conditions.ts";
import type { Prepared } from "../../database/connection.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type HourRange, readHours } from "./hour-ranges.ts";
import { rejectedPrefix } from "./packing.ts";
import { hourMs, type RawRow, type RollUp } from "./roll-up.ts";

/** Facts about a device that reading its history needs. */
export interface ReachedDevice {
  /** Keys in the order of their numbers. */
  keys: string[];
  /** Hours since 1970 without a roll-up, which are computed from raw rows. */
  unrolled: HourRange[];
}

/** A raw row that also has its time in microseconds since 1970. */
export interface HistoryRow extends RawRow {
  us: number;
}

/** `[start, min, mean, max]`, the start in ms since 1970; for rejected readings the last is their number. */
export type BucketPoint = [number, number, number, number];

/** Points of one key of one device, ascending. */
interface BucketSeries {
  deviceId: string;
  key: string;
  points: BucketPoint[];
}

/** Devices that a scope reaches, by id. */
export type Reached = ReadonlyMap<string, ReachedDevice>;
interface ReachedRow {
  id: string;
  keys: string[];
  unrolled: string;
}
interface RolledRow {
  deviceId: string;
  key: string;
  /** Hour since 1970, for roll-ups of one hour. */
  hour: number;
  bytes: Buffer;
}
/** Roll-ups, with the hours that have none at the same moment. */
export interface ReachedSeries {
  reached: Reached;
  series: BucketSeries[];
}

/**
 * Points in PostgreSQL's binary form, a time and three doubles each; writing and reading thousands of numbers as text took half
 * of the time.
 * The database counts times from 2000.
 */
const binaryPoints = (time: string) =>
  sql.raw(
    `string_agg(timestamptz_send(${time}) || float8send(min) || float8send(sum / count)
       || float8send(case when starts_with(key, '${rejectedPrefix}') then count else max end), '' order by ${time})`,
  );
const pointBytes = 32;
const epochOf2000Ms = Date.UTC(2000, 0, 1);

function readSeries({ deviceId, key, bytes }: RolledRow): BucketSeries {
  const points: BucketPoint[] = [];
  for (let at = 0; at < bytes.length; at += pointBytes) {
    const ts = Number(bytes.readBigInt64BE(at)) / 1000 + epochOf2000Ms;
    points.push([ts, bytes.readDoubleBE(at + 8), bytes.readDoubleBE(at + 16), bytes.readDoubleBE(at + 24)]);
  }
  return { deviceId, key, points };
}

/**
 * The listed devices that a scope reaches, with their keys, and with the hours that have no roll-up or also contain rows of a
 * former owner.
 */
const reachedDevices = (scope: TenantScope, ids: readonly string[]): RawBuilder<unknown> => sql`
  select d.id, coalesce(k.keys, '{}') as keys, (coalesce(s.pending_hours + s.rolling_hours, '{}')
           + case when d.owned_since is null then int4multirange() else int4multirange(int4range(
               floor(extract(epoch from d.owned_since) / 3600)::int, floor(extract(epoch from d.owned_since) / 3600)::int, '[]'))
             end)::text as unrolled, d.owned_since
    from devices d left join device_states s on s.device_id = d.id left join telemetry_keys k on k.device_id = d.id
   where d.id = any(${ids}::bigint[]) and ${deviceInReach(scope, "d")}`;

const readReached = (rows: readonly ReachedRow[]): Reached =>
  new Map(rows.map(({ id, keys, unrolled }) => [id, { keys, unrolled: readHours(unrolled) }]));

/** Whether a scope reaches a device; evaluated once per statement instead of once per row. */
const reaches = (scope: TenantScope, deviceId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from devices d where d.id = ${deviceId} and ${deviceInReach(scope, "d")})`;

/**
 * Rows from the time since which the tenant has owned the device; earlier ones belong to a former owner. Evaluated once per
 * statement.
 * Roll-ups count when they begin after that time; the hour of the change of owner is computed from raw rows.
 * @param begins column with the row's time
 */
const sinceOwned = (deviceId: string, begins: RawBuilder<unknown> = sql`ts`): RawBuilder<SqlBool> =>
  sql<SqlBool>`${begins} >= (select coalesce(d.owned_since, '-infinity') from devices d where d.id = ${deviceId})`;

/**
 * Roll-ups of the devices of `withReached` that begin after the tenant got the device.
 * @param begins as above
 */
const amongReached = (begins: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`device_id = any(array(select id from reached))
    and (device_id <> all(array(select id from reached where owned_since is not null))
         or ${begins} >= (select owned_since from reached where id = device_id))`;

const hoursIn = (from: number, to: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`hour >= to_timestamp(${(from * hourMs) / 1000}::float8) and hour < to_timestamp(${(to * hourMs) / 1000}::float8)`;

/**
 * History of devices, for people.
 * @param db a pool
 * @param prepared runs prepared statements on the same pool
 */
export function historyRepository(db: Kysely<DB>, prepared: Prepared) {
  /**
   * Reads roll-ups and the hours that have none in one statement. Two statements would see different moments, and an hour that
   * is rolled up in between could be missing in both.
   * Connections plan it once, because planning took as long as reading a month; the plan is the same for all values, since
   * devices and roll-ups are found by their keys.
   * @param rolled selects device_id, key, hour and bytes of the roll-ups
   */
  const withReached = async (scope: TenantScope, ids: readonly string[], rolled: RawBuilder<unknown>) => {
    const { sql: text, parameters } = sql`
      with reached as materialized (${reachedDevices(scope, ids)})
      select id, keys, unrolled, null::bigint as "deviceId", null as key, null::int as hour, null::bytea as bytes from reached
      union all
      select null, null, null, r.device_id, r.key, r.hour, r.bytes from (${rolled}) r`.compile(db);
    // There are two texts of each statement, by the scope, so the name is a hash of the text.
    const name = `history ${hash("sha1", text)}`;
    const rows = await prepared<(ReachedRow & { bytes: null }) | RolledRow>({ name, text }, parameters);
    const isRolled = (row: (typeof rows)[number]): row is RolledRow => row.bytes !== null;
    return {
      reached: readReached(rows.filter((row) => !isRolled(row))),
      rolled: rows.filter(isRolled),
    };
  };

  return {
    /** Events of a device, newest first. */
    eventPage(
      scope: TenantScope,
      deviceId: string,
      { type, from, to }: { type?: string | undefined; from?: number | undefined; to?: number | undefined },
      request: PageRange,
    ) {
      let query = db
        .selectFrom("deviceEvents")
        .where("deviceId", "=", deviceId)
        .where(reaches(scope, deviceId))
        .where(sinceOwned(deviceId));
      if (type !== undefined) query = query.where("type", "=", type);
      if (from !== undefined) query = query.where("ts", ">=", new Date(from));
      if (to !== undefined) query = query.where("ts", "<", new Date(to));
      const rows = query.select(["eventId", "type", "ts"]).select(sql<Record<string, unknown>>`body`.as("body"));
      return readQuery(rows, [{ by: sql`ts`, descending: true }, { by: sql`type` }, { by: sql`event_id` }], request);
    },

    /** Those of the devices that the scope reaches. */
    async reached(scope: TenantScope, ids: readonly string[]): Promise<Reached> {
      const { rows } = await sql<ReachedRow>`${reachedDevices(scope, ids)}`.execute(db);
      return readReached(rows);
    },

    /**
     * A page of raw rows of a device in [from, to), ms since 1970, by time.
     * @param afterUs time of the last row of the page before
     * @param signal cancels the statement
     */
    async rawRows(
      scope: TenantScope,
      deviceId: string,
      { fromMs, toMs, afterUs }: { fromMs: number; toMs: number; afterUs?: number | undefined },
      limit: number,
      signal?: AbortSignal,
    ): Promise<HistoryRow[]> {
      const { rows } = await sql<Omit<HistoryRow, "at">>`
        select (extract(epoch from ts) * 1000000)::float8 as us, packed, readings from telemetry
         where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ${sinceOwned(deviceId)}
           and ts >= to_timestamp(${fromMs / 1000}::float8) and ts < to_timestamp(${toMs / 1000}::float8)
           ${afterUs === undefined ? sql`` : sql`and ts > timestamptz 'epoch' + ${afterUs}::float8 * interval '1 microsecond'`}
         order by ts limit ${limit}`.execute(db, { signal, inflightQueryAbortStrategy: "cancel query" });
      return rows.map((row) => ({ ...row, at: Math.floor(row.us / 1000) }));
    },

    /** Packed minutes of hours, ascending. */
    async minutes(scope: TenantScope, ids: readonly string[], keys: readonly string[], [from, to]: HourRange) {
      const { reached, rolled } = await withReached(
        scope,
        ids,
        sql`select device_id, key, (extract(epoch from hour) / 3600)::int as hour, minutes as bytes from telemetry_minutes
             where ${amongReached(sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)}`,
      );
      const minutes = rolled.map(({ bytes, ...row }) => ({ ...row, minutes: bytes }));
      return { reached, minutes: minutes.sort((a, b) => a.hour - b.hour) };
    },

    /** Points of hours. */
    async hourPoints(
      scope: TenantScope,
      ids: readonly string[],
      keys: readonly string[],
      [from, to]: HourRange,
    ): Promise<ReachedSeries> {
      const { reached, rolled } = await withReached(
        scope,
        ids,
        sql`select device_id, key, null::int as hour, ${binaryPoints("hour")} as bytes from telemetry_hours
             where ${amongReached(sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} group by device_id, key`,
      );
      return { reached, series: rolled.map(readSeries) };
    },

    /** Complete roll-ups of hours, ascending. */
    async hours(scope: TenantScope, deviceId: string, keys: readonly string[], [from, to]: HourRange) {
      const { rows } = await sql<RollUp & { key: string; hour: number }>`
        select key, (extract(epoch from hour) / 3600)::int as hour, count, first_ms, last_ms, sum, min, max, last, held
          from telemetry_hours
         where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ${sinceOwned(deviceId, sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} order by hour`.execute(
        db,
      );
      return rows;
    },

    /**
     * Points of days in Asia/Shanghai.
     * @param from first day, in days since 1970
     * @param to exclusive
     */
    async dayPoints(
      scope: TenantScope,
      ids: readonly string[],
      keys: readonly string[],
      from: number,
      to: number,
    ): Promise<ReachedSeries> {
      const begin = "(day::timestamp at time zone 'Asia/Shanghai')";
      const { reached, rolled } = await withReached(
        scope,
        ids,
        sql`select device_id, key, null::int as hour, ${binaryPoints(begin)} as bytes from telemetry_days
             where ${amongReached(sql.raw(begin))} and key = any(${keys})
               and day >= date '1970-01-01' + ${from}::int and day < date '1970-01-01' + ${to}::int group by device_id, key`,
      );
      return { reached, series: rolled.map(readSeries) };
    },

    /**
     * Days in Asia/Shanghai, in days since 1970, whose roll-ups are not reliable, ascending.
     * @param ids devices that the scope reaches
     * @param from first day
     * @param to exclusive
     */
    async unreliableDays(
      scope: TenantScope,
      ids: readonly string[],
      keys: readonly string[],
      from: number,
      to: number,
    ) {
      const { rows } = await sql<{ deviceId: string; key: string; day: number }>`
        select device_id, key, day - date '1970-01-01' as day from telemetry_unreliable_days
         where device_id in (select d.id from devices d where d.id = any(${ids}::bigint[]) and ${deviceInReach(scope, "d")})
           and key = any(${keys}) and day >= date '1970-01-01' + ${from}::int and day < date '1970-01-01' + ${to}::int
         order by day`.execute(db);
      return rows;
    },

    /** Names of devices for an export, sorted by name. */
    async deviceNames(scope: TenantScope, ids: readonly string[]) {
      return db
        .selectFrom("devices as d")
        .select(["d.id", "d.name", "d.serialNumber"])
        .select(sql<DeviceKindId>`d.kind`.as("kind"))
        .where("d.id", "in", [...ids])
        .where(deviceInReach(scope, "d"))
        .orderBy("d.name")
        .orderBy("d.id")
        .execute();
    },
  };
}
export type HistoryRepository = ReturnType<typeof historyRepository>;
