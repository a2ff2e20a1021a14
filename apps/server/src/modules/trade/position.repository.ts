import { type Kysely, sql } from "kysely";
import { inRowScope, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { Place, Position, RouteFlag } from "./route.ts";

/** A flag as people see it; the name of a farm that is not the reader's is left out. */
export interface FlagRow {
  transit: string;
  kind: RouteFlag["kind"];
  fromMs: number;
  toMs: number;
  latitude: number | null;
  longitude: number | null;
  farm: string;
  metres: number | null;
}

const columns = sql`(extract(epoch from at) * 1000)::float8 as "atMs", latitude, longitude, accuracy_m as "accuracyM"`;
const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
const momentOf = (atMs: number): Date => new Date(atMs);

/** Positions of vehicles, and what they show. @param db a pool or an open transaction */
export function positionRepository(db: Kysely<DB>) {
  return {
    /** The last one before a moment and the first one after it, of those that count. */
    async beside(scope: SystemScope, transit: string, atMs: number): Promise<Position[]> {
      requireSystemScope(scope);
      const { rows } = await sql<Position>`
        (select ${columns} from transit_positions where transit = ${transit} and not rejected and at < ${momentOf(atMs)} order by at desc limit 1)
        union all
        (select ${columns} from transit_positions where transit = ${transit} and not rejected and at > ${momentOf(atMs)} order by at limit 1)`.execute(
        db,
      );
      return rows;
    },

    /** Adds one; a second one of the same moment is the same one, sent again. */
    async add(
      scope: SystemScope,
      of: { transit: string; tenantId: string },
      { atMs, latitude, longitude, accuracyM, rejected }: Position & { rejected: boolean },
    ): Promise<void> {
      requireSystemScope(scope);
      await sql`
        insert into transit_positions (transit, at, tenant_id, latitude, longitude, accuracy_m, rejected)
        values (${of.transit}, ${momentOf(atMs)}, ${of.tenantId}, ${latitude}, ${longitude}, ${accuracyM}, ${rejected}) on conflict do nothing`.execute(
        db,
      );
    },

    /** Those that count, oldest first. */
    async ofTransit(scope: SystemScope, transit: string): Promise<Position[]> {
      requireSystemScope(scope);
      const { rows } = await sql<Position>`
        select ${columns} from transit_positions p where transit = ${transit} and not rejected order by at limit 5000`.execute(
        db,
      );
      return rows;
    },

    /** The same for whoever may see the vehicle, and how many could not be. */
    async shown(scope: TenantScope, transit: string): Promise<{ positions: Position[]; rejected: number } | undefined> {
      const found = await sql<{ rejected: number }>`
        select (select count(*)::int from transit_positions p where p.transit = t.id and p.rejected) as rejected
          from transits t where t.id = ${transit} and ${inScope(scope, "t")} and ${inRowScope(scope, "t")}`.execute(db);
      const [head] = found.rows;
      if (head === undefined) return undefined;
      const { rows } = await sql<Position>`
        select ${columns} from transit_positions p
         where p.transit = ${transit} and not p.rejected and ${inScope(scope, "p")} order by at limit 5000`.execute(db);
      return { positions: rows, rejected: head.rejected };
    },

    /** What says how long a vehicle's way is; held until the transaction ends, so that its flags are made once at a time. */
    async vehicle(scope: SystemScope, transit: string) {
      requireSystemScope(scope);
      const { rows } = await sql<{
        tenantId: string;
        field: string;
        departedMs: number | undefined;
        arrivedMs: number | undefined;
        washedUntilMs: number | undefined;
        nowMs: number;
      }>`
        select t.tenant_id as "tenantId", t.field, ${ms("t.departed_at")} as "departedMs", ${ms("t.arrived_at")} as "arrivedMs",
               ${ms("t.disinfection_until")} as "washedUntilMs", (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"
          from transits t where t.id = ${transit} for no key update`.execute(db);
      const [row] = rows;
      return (
        row && {
          ...row,
          departedMs: row.departedMs ?? undefined,
          arrivedMs: row.arrivedMs ?? undefined,
          washedUntilMs: row.washedUntilMs ?? undefined,
        }
      );
    },

    /** Farms of all tenants that have a place, but the one where a vehicle loads: a field and a farm with one code are the same. */
    async farms(scope: SystemScope, field: string): Promise<(Place & { id: string })[]> {
      requireSystemScope(scope);
      const { rows } = await sql<Place & { id: string }>`
        select m.id, m.latitude, m.longitude from farms m
         where m.latitude is not null and m.longitude is not null and m.status = '1'
           and not exists (select from sale_fields f where f.id = ${field} and lower(f.field_code) = lower(m.code))`.execute(
        db,
      );
      return rows;
    },

    /** Replaces the flags of a vehicle. Callers hold it. */
    async putFlags(
      scope: SystemScope,
      of: { transit: string; tenantId: string },
      flags: readonly RouteFlag[],
    ): Promise<void> {
      requireSystemScope(scope);
      await sql`delete from transit_flags where transit = ${of.transit}`.execute(db);
      for (const { kind, fromMs, toMs, place, farm, metres } of flags)
        await sql`
          insert into transit_flags (transit, tenant_id, kind, from_at, to_at, latitude, longitude, farm, metres)
          values (${of.transit}, ${of.tenantId}, ${kind}, ${momentOf(fromMs)}, ${momentOf(toMs)}, ${place?.latitude ?? null},
                  ${place?.longitude ?? null}, ${farm ?? null}, ${metres ?? null}) on conflict do nothing`.execute(db);
    },

    /** Flags of vehicles that a person may see, oldest first; the farms of others have no names. */
    async flagsOf(scope: TenantScope, transits: readonly string[]): Promise<FlagRow[]> {
      if (transits.length === 0) return [];
      const { rows } = await sql<FlagRow>`
        select g.transit, g.kind, ${ms("g.from_at")} as "fromMs", ${ms("g.to_at")} as "toMs", g.latitude, g.longitude, g.metres,
               coalesce((select m.name from farms m where m.id = g.farm and ${inScope(scope, "m")}), '') as farm
          from transit_flags g where g.transit = any(${[...transits]}::bigint[]) and ${inScope(scope, "g")} order by g.from_at, g.kind`.execute(
        db,
      );
      return rows;
    },

    /** Vehicles that are on their way, and those that arrived a moment ago. */
    async onWay(scope: SystemScope): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string }>`
        select id from transits where state = 'departed'
        union select id from transits where state in ('arrived', 'closed') and state_at > now() - interval '1 hour' order by id`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },

    /** Removes positions that nobody needs any more. */
    async sweep(scope: SystemScope, days: number): Promise<void> {
      requireSystemScope(scope);
      await sql`delete from transit_positions where at < now() - ${days} * interval '1 day'`.execute(db);
    },
  };
}
