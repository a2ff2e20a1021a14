import type { RejectedReading, RejectedReadings } from "@herdwise/device-kinds";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { isDistributed } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { type PackedRow, valuesOf } from "./packing.ts";

/** A stored row or event of a device with the device's time, ms since 1970. */
export interface RecentInput {
  deviceId: string;
  atMs: number;
  /** Values of a telemetry row; null for an event. */
  values: Record<string, unknown> | null;
  /** Rejected readings of the row. */
  rejected?: RejectedReadings;
  /** Type of an event; null for a row. */
  type: string | null;
  eventId: string | null;
  body: Record<string, unknown> | null;
}

type RecentRow = Omit<RecentInput, "values" | "rejected"> & PackedRow;

/** Most rows of one device that are read again. */
const mostRows = 2000;
const mostRowsBetween = 20_000;

/**
 * Recently stored data of devices, for modules that start to follow them.
 * @param db a pool or an open transaction
 */
export function recentRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);

  const unpacked = async (rows: readonly RecentRow[]): Promise<RecentInput[]> => {
    const ids = [...new Set(rows.map(({ deviceId }) => deviceId))];
    if (ids.length === 0) return [];
    // Keys are read after the rows: numbers are only added, so all that the rows use are included.
    const held = await db
      .selectFrom("telemetryKeys")
      .select(["deviceId", "keys"])
      .where("deviceId", "in", ids)
      .execute();
    const keysOf = new Map(held.map(({ deviceId, keys }) => [deviceId, keys]));
    return rows.map(({ packed, readings, ...row }) => {
      if (row.type !== null) return { ...row, values: null };
      // Without a prototype, because a device may send the key "__proto__".
      const values: Record<string, unknown> = Object.create(null);
      const evidence: [string, RejectedReading][] = [];
      valuesOf(
        { packed, readings },
        keysOf.get(row.deviceId) ?? [],
        (key, value) => {
          values[key] = value;
        },
        (key, reading) => evidence.push([key, reading]),
      );
      // A reading of the same time that was accepted later replaces the rejected one.
      const rejected = evidence.filter(([key]) => !Object.hasOwn(values, key));
      return { ...row, values, ...(rejected.length > 0 && { rejected: Object.fromEntries(rejected) }) };
    });
  };

  /** `since` on distributed tables, where each node numbers the rows of its devices. */
  const sinceOverNodes = async (
    ids: readonly string[],
    afters: readonly number[],
    earliest: Date,
  ): Promise<RecentRow[]> => {
    const { rows: wanted } = await sql<{ id: string; afterUs: string }>`
      select d.id, (extract(epoch from greatest(to_timestamp(w.after_ms / 1000.0), d.owned_since)) * 1000000)::bigint as after_us
        from unnest(${[...ids]}::bigint[], ${[...afters]}::float8[]) as w (device_id, after_ms) join devices d on d.id = w.device_id`.execute(
      db,
    );
    const known = wanted.map(({ id }) => id);
    const list = sql`unnest(${known}::bigint[], ${wanted.map(({ afterUs }) => afterUs)}::bigint[]) as w (device_id, after_us)`;
    const newest = (table: string, columns: RawBuilder<unknown>) => sql`
      select device_id::text as device_id, at_ms, packed, readings, type, event_id, body from (
        select t.device_id, floor(extract(epoch from t.ts) * 1000)::float8 as at_ms, ${columns},
               row_number() over (partition by t.device_id order by t.ts desc) as place
          from ${sql.table(table)} t join ${list} on w.device_id = t.device_id
         where t.device_id = any(${known}::bigint[]) and t.ts > ${earliest}
           and t.ts > timestamptz 'epoch' + w.after_us * interval '1 microsecond') r
       where place <= ${mostRows}`;
    const { rows } = await sql<RecentRow>`
      with rows as materialized (${newest("telemetry", sql`t.packed, t.readings, null::text as type, null::text as event_id, null::jsonb as body`)}),
      events as materialized (${newest("device_events", sql`null::bytea as packed, null::jsonb as readings, t.type, t.event_id, t.body`)})
      select * from (select * from rows union all select * from events) r
       order by device_id::bigint, at_ms, type nulls first, event_id`.execute(db);
    return rows;
  };

  return {
    /**
     * Telemetry and events after a time given for each device, and since its tenant has it, by device and time; at most the
     * newest 2,000 rows of a device.
     */
    async since(wanted: readonly { deviceId: string; afterMs: number }[]): Promise<RecentInput[]> {
      if (wanted.length === 0) return [];
      const ids = wanted.map(({ deviceId }) => deviceId);
      const afters = wanted.map(({ afterMs }) => afterMs);
      const earliest = new Date(Math.min(...afters));
      if (await isDistributed(db)) return unpacked(await sinceOverNodes(ids, afters, earliest));
      const { rows } = await sql<RecentRow>`
        with wanted as (
          select w.device_id, greatest(to_timestamp(w.after_ms / 1000.0), d.owned_since) as after
            from unnest(${ids}::bigint[], ${afters}::float8[]) as w (device_id, after_ms)
            join devices d on d.id = w.device_id)
        select w.device_id::text as device_id, r.at_ms, r.packed, r.readings, r.type, r.event_id, r.body
          from wanted w
          cross join lateral (
            (select floor(extract(epoch from t.ts) * 1000)::float8 as at_ms, t.packed, t.readings, null::text as type,
                    null::text as event_id, null::jsonb as body
               from telemetry t
              where t.device_id = w.device_id and t.ts > w.after and t.ts > ${earliest}
              order by t.ts desc limit ${mostRows})
            union all
            (select floor(extract(epoch from e.ts) * 1000)::float8, null, null, e.type, e.event_id, e.body
               from device_events e
              where e.device_id = w.device_id and e.ts > w.after
              order by e.ts desc limit ${mostRows})) r
         order by w.device_id, r.at_ms, r.type nulls first, r.event_id`.execute(db);
      return unpacked(rows);
    },

    /** Telemetry and events of a device in (after, until] since its tenant has it, in order; at most the first 20,000 of each. */
    async between(deviceId: string, afterMs: number, untilMs: number): Promise<RecentInput[]> {
      const [after, until] = [new Date(afterMs), new Date(untilMs)];
      const { rows } = await sql<RecentRow>`
        (select t.device_id::text as device_id, floor(extract(epoch from t.ts) * 1000)::float8 as at_ms, t.packed, t.readings,
                null::text as type, null::text as event_id, null::jsonb as body
           from telemetry t where t.device_id = ${deviceId} and t.ts > ${after} and t.ts <= ${until}
            and t.ts >= coalesce((select d.owned_since from devices d where d.id = ${deviceId}), '-infinity')
          order by t.ts limit ${mostRowsBetween})
        union all
        (select e.device_id::text, floor(extract(epoch from e.ts) * 1000)::float8, null, null, e.type, e.event_id, e.body
           from device_events e where e.device_id = ${deviceId} and e.ts > ${after} and e.ts <= ${until}
            and e.ts >= coalesce((select d.owned_since from devices d where d.id = ${deviceId}), '-infinity')
          order by e.ts limit ${mostRowsBetween})
         order by at_ms, type nulls first, event_id`.execute(db);
      return unpacked(rows);
    },
  };
}
export type RecentRepository = ReturnType<typeof recentRepository>;
