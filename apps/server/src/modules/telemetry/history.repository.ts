import { hash } from "node:crypto";
import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { Prepared } from "../../database/connection.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type HourRange, readHours } from "./hour-ranges.ts";
import { rejectedPrefix } from "./packing.ts";
import { hourMs, type RawRow, type RollUp } from "./roll-up.ts";

/** What reading must know of a device. */
export interface ReachedDevice {
  /** In the order of their numbers. */
  keys: string[];
  /** Hours since 1970 that lack a roll-up: their raw rows tell. */
  unrolled: HourRange[];
}

/** A raw row with its time in microseconds since 1970, too. */
export interface HistoryRow extends RawRow {
  us: number;
}

/** `[ts of the bucket's start, min, mean, max]`; ts in ms since 1970. Of rejected readings the last says how many there were. */
export type BucketPoint = [number, number, number, number];

/** What one key of one device comes to, ascending. */
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
  /** Since 1970; of what is one hour. */
  hour: number;
  bytes: Buffer;
}
/** What is rolled up, and of the same moment which hours are not. */
export interface ReachedSeries {
  reached: Reached;
  series: BucketSeries[];
}

/**
 * Points as PostgreSQL's binary form of a time and three doubles each: to write and to read a chart's thousands of figures as text
 * took half of the time. The database counts its times from 2000.
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

/** Devices of a list that a scope reaches, with their keys and the hours that lack a roll-up or have the former owner's rows as well. */
const reachedDevices = (scope: TenantScope, ids: readonly string[]): RawBuilder<unknown> => sql`
  select d.id, coalesce(k.keys, '{}') as keys, (coalesce(s.pending_hours + s.rolling_hours, '{}')
           + case when d.owned_since is null then int4multirange() else int4multirange(int4range(
               floor(extract(epoch from d.owned_since) / 3600)::int, floor(extract(epoch from d.owned_since) / 3600)::int, '[]'))
             end)::text as unrolled, d.owned_since
    from devices d left join device_states s on s.device_id = d.id left join telemetry_keys k on k.device_id = d.id
   where d.id = any(${ids}::bigint[]) and ${inScope(scope, "d")}`;

const readReached = (rows: readonly ReachedRow[]): Reached =>
  new Map(rows.map(({ id, keys, unrolled }) => [id, { keys, unrolled: readHours(unrolled) }]));

/** Whether a scope reaches a device; asked once for a statement, not for each of its rows. */
const reaches = (scope: TenantScope, deviceId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from devices d where d.id = ${deviceId} and ${inScope(scope, "d")})`;

/**
 * Rows that came since the tenant has the device: what it sent before is a former owner's. Asked once for a statement. Of roll-ups
 * those that begin since then: the hour in which the tenant got the device is told by its raw rows.
 * @param begins column with the row's time
 */
const sinceOwned = (deviceId: string, begins: RawBuilder<unknown> = sql`ts`): RawBuilder<SqlBool> =>
  sql<SqlBool>`${begins} >= (select coalesce(d.owned_since, '-infinity') from devices d where d.id = ${deviceId})`;

/** Roll-ups of the devices of `withReached`, of those that begin since the tenant has the device. @param begins as above */
const amongReached = (begins: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`device_id = any(array(select id from reached))
    and (device_id <> all(array(select id from reached where owned_since is not null))
         or ${begins} >= (select owned_since from reached where id = device_id))`;

const hoursIn = (from: number, to: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`hour >= to_timestamp(${(from * hourMs) / 1000}::float8) and hour < to_timestamp(${(to * hourMs) / 1000}::float8)`;

/**
 * What devices sent, for people who look at it.
 * @param db a pool
 * @param prepared of the same pool
 */
export function historyRepository(db: Kysely<DB>, prepared: Prepared) {
  /**
   * Reads roll-ups in the statement that looks which hours have none. Of two statements each would be of its own moment, and an
   * hour that is rolled up in between could be in neither. Connections plan it once: planning took as long as reading a month. The plan is
   * the same for all values, devices are found by id and roll-ups by their primary key.
   * @param rolled selects device_id, key, hour, bytes of what is rolled up
   */
  const withReached = async (scope: TenantScope, ids: readonly string[], rolled: RawBuilder<unknown>) => {
    const { sql: text, parameters } = sql`
      with reached as materialized (${reachedDevices(scope, ids)})
      select id, keys, unrolled, null::bigint as "deviceId", null as key, null::int as hour, null::bytea as bytes from reached
      union all
      select null, null, null, r.device_id, r.key, r.hour, r.bytes from (${rolled}) r`.compile(db);
    // Which scope asks makes two texts of each: the name is the text's.
    const name = `history ${hash("sha1", text)}`;
    const rows = await prepared<(ReachedRow & { bytes: null }) | RolledRow>({ name, text }, parameters);
    const isRolled = (row: (typeof rows)[number]): row is RolledRow => row.bytes !== null;
    return {
      reached: readReached(rows.filter((row) => !isRolled(row))),
      rolled: rows.filter(isRolled),
    };
  };

  return {
    /** Records of a device, newest first. */
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

    /** The devices of these that the scope reaches. */
    async reached(scope: TenantScope, ids: readonly string[]): Promise<Reached> {
      const { rows } = await sql<ReachedRow>`${reachedDevices(scope, ids)}`.execute(db);
      return readReached(rows);
    },

    /** A page of raw rows of a device in [from, to), ms since 1970, in the order of their times. @param afterUs time of the row before */
    async rawRows(
      scope: TenantScope,
      deviceId: string,
      { fromMs, toMs, afterUs }: { fromMs: number; toMs: number; afterUs?: number | undefined },
      limit: number,
    ): Promise<HistoryRow[]> {
      const { rows } = await sql<Omit<HistoryRow, "at">>`
        select (extract(epoch from ts) * 1000000)::float8 as us, packed, readings from telemetry
         where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ${sinceOwned(deviceId)}
           and ts >= to_timestamp(${fromMs / 1000}::float8) and ts < to_timestamp(${toMs / 1000}::float8)
           ${afterUs === undefined ? sql`` : sql`and ts > timestamptz 'epoch' + ${afterUs}::float8 * interval '1 microsecond'`}
         order by ts limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, at: Math.floor(row.us / 1000) }));
    },

    /** The minutes of hours, packed, ascending. */
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

    /** Whole roll-ups of hours, ascending. */
    async hours(scope: TenantScope, deviceId: string, keys: readonly string[], [from, to]: HourRange) {
      const { rows } = await sql<RollUp & { key: string; hour: number }>`
        select key, (extract(epoch from hour) / 3600)::int as hour, count, first_ms, last_ms, sum, min, max, last, held
          from telemetry_hours
         where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ${sinceOwned(deviceId, sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} order by hour`.execute(
        db,
      );
      return rows;
    },

    /** Points of days in Asia/Shanghai. @param from first of the days, in days since 1970 @param to without this one */
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
     * Days in Asia/Shanghai, since 1970, whose roll-ups are not reliable, ascending.
     * @param ids devices that the scope reaches
     * @param from first of the days @param to without this one
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
         where device_id in (select d.id from devices d where d.id = any(${ids}::bigint[]) and ${inScope(scope, "d")})
           and key = any(${keys}) and day >= date '1970-01-01' + ${from}::int and day < date '1970-01-01' + ${to}::int
         order by day`.execute(db);
      return rows;
    },

    /** What an export calls its devices, in the order of their names. */
    async deviceNames(scope: TenantScope, ids: readonly string[]) {
      return db
        .selectFrom("devices as d")
        .select(["d.id", "d.name", "d.serialNumber"])
        .select(sql<DeviceKindId>`d.kind`.as("kind"))
        .where("d.id", "in", [...ids])
        .where(inScope(scope, "d"))
        .orderBy("d.name")
        .orderBy("d.id")
        .execute();
    },
  };
}
export type HistoryRepository = ReturnType<typeof historyRepository>;
