import { type Kysely, sql } from "kysely";
import { isDistributed } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { type HourRange, readHours } from "./hour-ranges.ts";
import { firstHourOf, packMinutes, type RawRow, type RollUp } from "./roll-up.ts";

/** Hours of one day (Asia/Shanghai) of one device, which are rolled up together. */
export interface RollUpUnit {
  deviceId: string;
  /** Days since 1970. */
  day: number;
  hours: HourRange;
}

/** Roll-ups of one key of one device, by bucket number since 1970. */
export interface RolledKey {
  deviceId: string;
  key: string;
  day: number;
  hours: ReadonlyMap<number, RollUp>;
  /** Roll-ups of minutes, by hour. */
  minutes: ReadonlyMap<number, ReadonlyMap<number, RollUp>>;
}

/** A raw row with the unit that it belongs to. */
export interface UnitRow extends RawRow {
  /** Index of the unit, from 0. */
  place: number;
  /** Its time in microseconds since 1970. */
  us: number;
}

/** A roll-up to write. */
export interface RolledDay {
  deviceId: string;
  key: string;
  day: number;
  of: RollUp;
}

const listOf = (items: readonly (string | number)[]): string => `{${items.join(",")}}`;
/** As JSON, which has no line breaks, although keys of devices may. */
const keyLines = (items: readonly { key: string }[]): string => items.map(({ key }) => JSON.stringify(key)).join("\n");
const hourTime = (hour: string) => sql.raw(`to_timestamp(${hour} * 3600.0)`);

/** Columns of roll-ups as arrays, after those that identify them. */
const figures = (of: readonly RollUp[]) => sql`
  ${listOf(of.map(({ count }) => count))}::int[], ${listOf(of.map(({ firstMs }) => firstMs))}::int[],
  ${listOf(of.map(({ lastMs }) => lastMs))}::int[], ${listOf(of.map(({ sum }) => sum))}::float8[],
  ${listOf(of.map(({ min }) => min))}::float8[], ${listOf(of.map(({ max }) => max))}::float8[],
  ${listOf(of.map(({ last }) => last))}::float8[], ${listOf(of.map(({ held }) => held))}::float8[]`;
const figureColumns = sql.raw("count, first_ms, last_ms, sum, min, max, last, held");
const replaceFigures = sql.raw(
  ["count", "first_ms", "last_ms", "sum", "min", "max", "last", "held"]
    .map((name) => `${name} = excluded.${name}`)
    .join(),
);

/**
 * Database access for the roll-up job, for devices of all tenants.
 * @param db a pool or an open transaction
 */
export function rollUpRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  /** Locks in the order of the ingest's `store`; over nodes there is no such lock, and the database ends a deadlock. */
  const lockInOrder = async (limit = sql``) =>
    sql`order by s.device_id::text collate "C" ${limit} ${(await isDistributed(db)) ? sql`` : sql`for update of s`}`;
  return {
    /** Lets one transaction at a time take or finish hours, so that a run that was believed dead can't overwrite a later one. */
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('telemetry roll-ups'))`.execute(db);
    },

    /**
     * Takes hours before a given one that have no roll-up; they stay marked as taken until `finish`. Rows that arrive from now
     * on mark their hour again.
     * Hours whose raw rows were dropped are given up.
     * @param before an hour since 1970
     * @param devices maximum number of devices
     */
    async take(before: number, devices: number): Promise<{ deviceId: string; hours: HourRange[] }[]> {
      const { rows } = await sql<{ deviceId: string; hours: string }>`
        with kept as (
          select int4multirange(int4range(ceil(extract(epoch from raw_from) / 3600)::int, null)) as hours from telemetry_retention),
        chosen as materialized (
          select s.device_id from device_states s
           where not isempty(s.rolling_hours) or lower(s.pending_hours) < ${before}
           ${await lockInOrder(sql`limit ${devices}`)})
        update device_states s
           set rolling_hours = (s.rolling_hours + s.pending_hours * int4multirange(int4range(null, ${before}))) * kept.hours,
               pending_hours = s.pending_hours - int4multirange(int4range(null, ${before}))
          from chosen, kept where s.device_id = chosen.device_id
        returning s.device_id, s.rolling_hours as hours`.execute(db);
      return rows.map(({ deviceId, hours }) => ({ deviceId, hours: readHours(hours) }));
    },

    async keysOf(deviceIds: readonly string[]): Promise<Map<string, string[]>> {
      const rows = await db
        .selectFrom("telemetryKeys")
        .select(["deviceId", "keys"])
        .where("deviceId", "in", [...deviceIds])
        .execute();
      return new Map(rows.map(({ deviceId, keys }) => [deviceId, keys]));
    },

    /**
     * A page of raw rows of units, in the order of the list and by time.
     * @param after the last row of the page before
     */
    async rawRows(units: readonly RollUpUnit[], after: UnitRow | undefined, limit: number): Promise<UnitRow[]> {
      const from = Math.min(...units.map(({ hours }) => hours[0]));
      const to = Math.max(...units.map(({ hours }) => hours[1]));
      const ids = units.map(({ deviceId }) => deviceId);
      const list = sql`unnest(${listOf(ids)}::bigint[], ${listOf(units.map(({ hours }) => hours[0]))}::int[],
                              ${listOf(units.map(({ hours }) => hours[1]))}::int[])
                       with ordinality as u (device_id, from_hour, to_hour, place)`;
      // The list's range of times as constants, so that the planner skips other partitions.
      const ofUnit = sql`t.device_id = u.device_id and t.ts >= ${hourTime("u.from_hour")} and t.ts < ${hourTime("u.to_hour")}
              and t.ts >= to_timestamp(${from * 3600}::float8) and t.ts < to_timestamp(${to * 3600}::float8)`;
      const read = sql`(extract(epoch from t.ts) * 1000000)::float8 as us, t.packed, t.readings`;
      // One node by node, the other in the order of the index, so that a page ends where it is full.
      const found = (await isDistributed(db))
        ? sql`(select u.place, ${read} from telemetry t join ${list} on ${ofUnit} where t.device_id = any(${listOf(ids)}::bigint[])) r`
        : sql`${list} cross join lateral (select ${read} from telemetry t where ${ofUnit} order by t.ts offset 0) r`;
      const { rows } = await sql<Omit<UnitRow, "at">>`
        select place::int - 1 as place, r.us, r.packed, r.readings from ${found}
         where (place - 1, r.us) > (${after?.place ?? -1}::int, ${after?.us ?? 0}::float8)
         order by place, r.us limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, at: Math.floor(row.us / 1000) }));
    },

    async writeHours(keys: readonly RolledKey[]): Promise<void> {
      const list = keys.flatMap(({ deviceId, key, hours, minutes }) =>
        [...hours].map(([hour, of]) => ({ deviceId, key, hour, of, minutes: minutes.get(hour) ?? new Map() })),
      );
      if (list.length === 0) return;
      const ids = listOf(list.map(({ deviceId }) => deviceId));
      const hours = listOf(list.map(({ hour }) => hour));
      await sql`
        insert into telemetry_hours (device_id, key, hour, ${figureColumns})
        select r.device_id, r.key::jsonb #>> '{}', ${hourTime("r.hour")}, ${figureColumns}
          from unnest(${ids}::bigint[], string_to_array(${keyLines(list)}, E'\n'), ${hours}::int[], ${figures(list.map(({ of }) => of))})
               as r (device_id, key, hour, ${figureColumns})
        on conflict (device_id, key, hour) do update set ${replaceFigures}`.execute(db);
      await sql`
        insert into telemetry_minutes (device_id, key, hour, minutes)
        select r.device_id, r.key::jsonb #>> '{}', ${hourTime("r.hour")}, decode(r.minutes, 'hex')
          from unnest(${ids}::bigint[], string_to_array(${keyLines(list)}, E'\n'), ${hours}::int[],
                      string_to_array(${list.map(({ minutes }) => packMinutes(minutes).toString("hex")).join("\n")}, E'\n'))
               as r (device_id, key, hour, minutes)
        on conflict (device_id, key, hour) do update set minutes = excluded.minutes`.execute(db);
    },

    /** Hours of the days of keys, ascending, by their index in the list. */
    async hoursOfDays(keys: readonly RolledKey[]): Promise<Map<number, [number, RollUp][]>> {
      const from = Math.min(...keys.map(({ day }) => firstHourOf(day)));
      const to = Math.max(...keys.map(({ day }) => firstHourOf(day + 1)));
      const ids = keys.map(({ deviceId }) => deviceId);
      const list = sql`unnest(${listOf(ids)}::bigint[], string_to_array(${keyLines(keys)}, E'\n'),
                              ${listOf(keys.map(({ day }) => firstHourOf(day)))}::int[])
                       with ordinality as u (device_id, key, from_hour, place)`;
      const ofDay = sql`h.device_id = u.device_id and h.key = u.key::jsonb #>> '{}'
              and h.hour >= ${hourTime("u.from_hour")} and h.hour < ${hourTime("(u.from_hour + 24)")}
              and h.hour >= to_timestamp(${from * 3600}::float8) and h.hour < to_timestamp(${to * 3600}::float8)`;
      const read = sql`(extract(epoch from h.hour) / 3600)::int as hour, ${figureColumns}`;
      const { rows } = await sql<RollUp & { place: number; hour: number }>`${
        (await isDistributed(db))
          ? sql`select u.place::int as place, ${read} from telemetry_hours h join ${list} on ${ofDay}
                 where h.device_id = any(${listOf(ids)}::bigint[]) order by 1, 2`
          : sql`select u.place::int as place, r.* from ${list}
                 cross join lateral (select ${read} from telemetry_hours h where ${ofDay} order by h.hour offset 0) r`
      }`.execute(db);
      const byPlace = new Map<number, [number, RollUp][]>();
      for (const { place, hour, ...of } of rows) {
        const held = byPlace.get(place - 1);
        if (held === undefined) byPlace.set(place - 1, [[hour, of]]);
        else held.push([hour, of]);
      }
      return byPlace;
    },

    async writeDays(days: readonly RolledDay[]): Promise<void> {
      if (days.length === 0) return;
      await sql`
        insert into telemetry_days (device_id, key, day, ${figureColumns})
        select r.device_id, r.key::jsonb #>> '{}', date '1970-01-01' + r.day, ${figureColumns}
          from unnest(${listOf(days.map(({ deviceId }) => deviceId))}::bigint[], string_to_array(${keyLines(days)}, E'\n'),
                      ${listOf(days.map(({ day }) => day))}::int[], ${figures(days.map(({ of }) => of))})
               as r (device_id, key, day, ${figureColumns})
        on conflict (device_id, key, day) do update set ${replaceFigures}`.execute(db);
    },

    /** Marks units as rolled up; hours that were marked again meanwhile stay marked. */
    async finish(units: readonly RollUpUnit[]): Promise<void> {
      const byDevice = Map.groupBy(units, ({ deviceId }) => deviceId);
      const done = [...byDevice].map(([, of]) => `{${of.map(({ hours: [from, to] }) => `[${from},${to})`).join(",")}}`);
      await sql`
        with finished as materialized (
          select s.device_id, r.hours::int4multirange as hours
            from unnest(${listOf([...byDevice.keys()])}::bigint[], string_to_array(${done.join("\n")}, E'\n')) as r (device_id, hours)
            join device_states s on s.device_id = r.device_id
           ${await lockInOrder()})
        update device_states s set rolling_hours = s.rolling_hours - finished.hours
          from finished where s.device_id = finished.device_id`.execute(db);
    },

    /** The oldest hour since 1970 without a roll-up; undefined for none. */
    async oldestUnfinished(): Promise<number | undefined> {
      const { rows } = await sql<{ hour: number | null }>`
        select min(least(lower(pending_hours), lower(rolling_hours))) as hour from device_states`.execute(db);
      return rows[0]?.hour ?? undefined;
    },

    /**
     * Records that raw rows before a day were dropped.
     * @param day yyyy-MM-dd, UTC
     */
    async rawDroppedBefore(day: string): Promise<void> {
      await sql`update telemetry_retention set raw_from = greatest(raw_from, ${`${day} 00:00:00+00`}::timestamptz)`.execute(
        db,
      );
    },
  };
}
export type RollUpRepository = ReturnType<typeof rollUpRepository>;
