import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type HourRange, readHours } from "./hour-ranges.ts";
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

/** `[ts of the bucket's start, min, mean, max]`; ts in ms since 1970. */
export type BucketPoint = [number, number, number, number];

/** What one key of one device comes to, ascending. */
export interface BucketSeries {
  deviceId: string;
  key: string;
  points: BucketPoint[];
}

interface BinarySeries {
  deviceId: string;
  key: string;
  points: Buffer;
}

/**
 * Points as PostgreSQL's binary form of a time and three doubles each: to write and to read a chart's thousands of figures as text
 * took half of the time. The database counts its times from 2000.
 */
const binaryPoints = (time: string) =>
  sql.raw(
    `string_agg(timestamptz_send(${time}) || float8send(min) || float8send(sum / count) || float8send(max), '' order by ${time})`,
  );
const pointBytes = 32;
const epochOf2000Ms = Date.UTC(2000, 0, 1);

function readSeries({ deviceId, key, points }: BinarySeries): BucketSeries {
  const read: BucketPoint[] = [];
  for (let at = 0; at < points.length; at += pointBytes) {
    const ts = Number(points.readBigInt64BE(at)) / 1000 + epochOf2000Ms;
    read.push([ts, points.readDoubleBE(at + 8), points.readDoubleBE(at + 16), points.readDoubleBE(at + 24)]);
  }
  return { deviceId, key, points: read };
}

/** Whether a scope reaches a device; asked once for a statement, not for each of its rows. */
const reaches = (scope: TenantScope, deviceId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from devices d where d.id = ${deviceId} and ${inScope(scope, "d")})`;

/** Rows that came since the tenant has the device: what it sent before is a former owner's. Asked once for a statement. */
const sinceOwned = (deviceId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`ts >= (select coalesce(d.owned_since, '-infinity') from devices d where d.id = ${deviceId})`;

/**
 * Roll-ups of several devices that a scope reaches, of those that begin since the tenant has the device. The hour in which it got
 * one is told by its raw rows.
 * @param begins column with the roll-up's begin
 */
const amongReached = (scope: TenantScope, ids: readonly string[], begins: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`device_id = any(array(select d.id from devices d where d.id = any(${ids}::bigint[]) and ${inScope(scope, "d")}))
    and (device_id <> all(array(select d.id from devices d where d.id = any(${ids}::bigint[]) and d.owned_since is not null))
         or ${begins} >= (select d.owned_since from devices d where d.id = device_id))`;

const hoursIn = (from: number, to: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`hour >= to_timestamp(${(from * hourMs) / 1000}::float8) and hour < to_timestamp(${(to * hourMs) / 1000}::float8)`;

/**
 * What devices sent, for people who look at it.
 * @param db a pool or an open transaction
 */
export function historyRepository(db: Kysely<DB>) {
  return {
    /** Records of a device, newest first. */
    async eventPage(
      scope: TenantScope,
      deviceId: string,
      { type, from, to }: { type?: string | undefined; from?: number | undefined; to?: number | undefined },
      { offset, limit }: { offset: number; limit: number },
    ) {
      let query = db
        .selectFrom("deviceEvents")
        .where("deviceId", "=", deviceId)
        .where(reaches(scope, deviceId))
        .where(sinceOwned(deviceId));
      if (type !== undefined) query = query.where("type", "=", type);
      if (from !== undefined) query = query.where("ts", ">=", new Date(from));
      if (to !== undefined) query = query.where("ts", "<", new Date(to));
      const [{ total }, rows] = await Promise.all([
        query.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
        query
          .select(["eventId", "type", "ts"])
          .select(sql<Record<string, unknown>>`body`.as("body"))
          .orderBy("ts", "desc")
          .orderBy("type")
          .orderBy("eventId")
          .offset(offset)
          .limit(limit)
          .execute(),
      ]);
      return { total, rows };
    },

    /** The devices of these that the scope reaches. Ask before anything else: what is rolled up now stays so. */
    async reached(scope: TenantScope, ids: readonly string[]): Promise<Map<string, ReachedDevice>> {
      const { rows } = await sql<{ id: string; keys: string[]; unrolled: string }>`
        select d.id, coalesce(k.keys, '{}') as keys, (coalesce(s.pending_hours + s.rolling_hours, '{}')
                 + case when d.owned_since is null then int4multirange() else int4multirange(int4range(
                     floor(extract(epoch from d.owned_since) / 3600)::int, floor(extract(epoch from d.owned_since) / 3600)::int, '[]'))
                   end)::text as unrolled
          from devices d left join device_states s on s.device_id = d.id left join telemetry_keys k on k.device_id = d.id
         where d.id = any(${ids}::bigint[]) and ${inScope(scope, "d")}`.execute(db);
      return new Map(rows.map(({ id, keys, unrolled }) => [id, { keys, unrolled: readHours(unrolled) }]));
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

    /** The minutes of hours, packed. */
    async minutes(scope: TenantScope, ids: readonly string[], keys: readonly string[], [from, to]: HourRange) {
      const { rows } = await sql<{ deviceId: string; key: string; hour: number; minutes: Buffer }>`
        select device_id, key, (extract(epoch from hour) / 3600)::int as hour, minutes from telemetry_minutes
         where ${amongReached(scope, ids, sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} order by hour`.execute(
        db,
      );
      return rows;
    },

    /** Points of hours. */
    async hourPoints(
      scope: TenantScope,
      ids: readonly string[],
      keys: readonly string[],
      [from, to]: HourRange,
    ): Promise<BucketSeries[]> {
      const { rows } = await sql<BinarySeries>`
        select device_id, key, ${binaryPoints("hour")} as points from telemetry_hours
         where ${amongReached(scope, ids, sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} group by device_id, key`.execute(
        db,
      );
      return rows.map(readSeries);
    },

    /** Whole roll-ups of hours, ascending. */
    async hours(scope: TenantScope, deviceId: string, keys: readonly string[], [from, to]: HourRange) {
      const { rows } = await sql<RollUp & { key: string; hour: number }>`
        select key, (extract(epoch from hour) / 3600)::int as hour, count, first_ms, last_ms, sum, min, max, last, held
          from telemetry_hours
         where ${amongReached(scope, [deviceId], sql`hour`)} and key = any(${keys}) and ${hoursIn(from, to)} order by hour`.execute(
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
    ): Promise<BucketSeries[]> {
      const { rows } = await sql<BinarySeries>`
        select device_id, key, ${binaryPoints("(day::timestamp at time zone 'Asia/Shanghai')")} as points from telemetry_days
         where ${amongReached(scope, ids, sql`(day::timestamp at time zone 'Asia/Shanghai')`)} and key = any(${keys})
           and day >= date '1970-01-01' + ${from}::int and day < date '1970-01-01' + ${to}::int group by device_id, key`.execute(
        db,
      );
      return rows.map(readSeries);
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
