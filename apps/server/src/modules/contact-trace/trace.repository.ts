import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach, inReach, inRowScope, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** A span of time, ms since 1970, [from, to). */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A farm or one of its units. */
export interface Place {
  tenantId: string;
  farmId: string;
  farmName: string;
  farmCode: string;
  /** "" for a farm as a whole. */
  unitId: string;
  unitName: string;
}

export interface ShowerRow {
  eventId: string;
  person: string;
  deviceId: string;
  farmId: string;
  farmName: string;
  atMs: number;
  passed: boolean;
}

export interface TransitRow {
  id: string;
  plate: string;
  /** Equal for the same driver; "" where it is not known. */
  driver: string;
  heads: number;
  farmId: string;
  farmName: string;
  unitId: string;
  unitName: string;
  atMs: number;
  washed: boolean;
  /** Whether the certificate ended before the vehicle left. */
  washOver: boolean;
  dried: boolean;
}

export interface MovementRow {
  id: string;
  unitId: string;
  kind: string;
  /** Negative for heads that left the unit. */
  heads: number;
  atMs: number;
  otherUnitId: string;
  otherUnitName: string;
  otherFarmId: string;
  otherFarmName: string;
}

/** Rows that one question reads of a source; more of them make the answer say that it is cut. */
export const mostRows = 5000;

const within = (column: RawBuilder<unknown>, { fromMs, toMs }: Span): RawBuilder<SqlBool> =>
  sql<SqlBool>`${column} >= to_timestamp(${fromMs / 1000}::float8) and ${column} < to_timestamp(${toMs / 1000}::float8)`;
const ms = (column: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${column}) * 1000)::float8`;

/** What the books tell of who and what was where. @param db a pool or an open transaction */
export function traceRepository(db: Kysely<DB>) {
  const unitsFrom = sql`units u join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id`;
  return {
    /** A unit that the scope and its roles reach. */
    async unit(scope: TenantScope, id: string): Promise<Place | undefined> {
      const { rows } = await sql<Place>`
        select u.tenant_id as "tenantId", f.id::text as "farmId", f.name as "farmName", f.code as "farmCode",
               u.id::text as "unitId", h.name || ' ' || u.name as "unitName"
          from ${unitsFrom} where u.id = ${id} and ${inScope(scope, "u")} and ${inRowScope(scope, "u")}`.execute(db);
      return rows[0];
    },

    /** A farm that the scope and its roles reach. */
    async farm(scope: TenantScope, id: string): Promise<Place | undefined> {
      const { rows } = await sql<Place>`
        select f.tenant_id as "tenantId", f.id::text as "farmId", f.name as "farmName", f.code as "farmCode", '' as "unitId", '' as "unitName"
          from farms f where f.id = ${id} and ${inScope(scope, "f")} and ${inRowScope(scope, "f")}`.execute(db);
      return rows[0];
    },

    /** Units of a farm. */
    async unitsOf(scope: TenantScope, farmId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select u.id::text from ${unitsFrom} where f.id = ${farmId} and ${inReach(scope, "u")}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /**
     * Showers of a tenant, by time: of a farm or of people.
     * @param tenantId people are told apart by numbers of their own in each tenant
     */
    async showers(
      scope: TenantScope,
      tenantId: string,
      of: { farmId: string } | { persons: readonly string[] },
      span: Span,
    ): Promise<ShowerRow[]> {
      const which =
        "farmId" in of
          ? sql<SqlBool>`d.farm_id = ${of.farmId}`
          : sql<SqlBool>`e.body ->> 'person' = any(${[...of.persons]}::text[])`;
      const { rows } = await sql<ShowerRow>`
        select e.event_id as "eventId", e.body ->> 'person' as person, d.id::text as "deviceId", f.id::text as "farmId", f.name as "farmName",
               ${ms(sql`e.ts`)} as "atMs", e.body ->> 'result' = 'passed' as passed
          from devices d join device_events e on e.device_id = d.id and e.type = 'shower' join farms f on f.id = d.farm_id
         where d.tenant_id = ${tenantId} and ${deviceInReach(scope, "d")} and d.kind = 'bathroom' and ${which}
           and coalesce(e.body ->> 'person', '') <> '' and e.ts >= coalesce(d.owned_since, '-infinity') and ${within(sql`e.ts`, span)}
         order by e.ts limit ${mostRows + 1}`.execute(db);
      return rows;
    },

    /** Of a farm's bathrooms: how many there are, days with a record, and entries of nobody known or past the shower. */
    async bathrooms(scope: TenantScope, farmId: string, span: Span) {
      const { rows } = await sql<{ bathrooms: number; days: string[]; strangers: number }>`
        select count(distinct d.id)::int as bathrooms,
               coalesce(array_agg(distinct (e.ts at time zone 'Asia/Shanghai')::date::text) filter (where e.type = 'shower'), '{}') as days,
               count(*) filter (where e.type in ('unknown_person', 'bypass'))::int as strangers
          from devices d
          left join device_events e on e.device_id = d.id and e.type in ('shower', 'unknown_person', 'bypass')
               and e.ts >= coalesce(d.owned_since, '-infinity') and ${within(sql`e.ts`, span)}
         where d.farm_id = ${farmId} and d.kind = 'bathroom' and ${deviceInReach(scope, "d")}`.execute(db);
      return rows[0] ?? { bathrooms: 0, days: [], strangers: 0 };
    },

    /** Loadings of vehicles, by time: at a farm, in a unit, or of plates and drivers. The loading counts where nobody wrote down the departure. */
    async transits(
      scope: TenantScope,
      of: { farm: Place } | { unitId: string } | { plates: readonly string[]; drivers: readonly string[] },
      span: Span,
    ): Promise<TransitRow[]> {
      const which =
        "farm" in of
          ? sql<SqlBool>`m.id = ${of.farm.farmId}`
          : "unitId" in of
            ? sql<SqlBool>`t.unit = ${of.unitId}`
            : sql<SqlBool>`(t.plate = any(${[...of.plates]}::text[]) or encode(t.driver_phone_index, 'hex') = any(${[...of.drivers]}::text[]))`;
      const at = sql`coalesce(t.departed_at, l.at)`;
      const { rows } = await sql<TransitRow>`
        select t.id::text, t.plate, coalesce(encode(t.driver_phone_index, 'hex'), '') as driver, t.heads,
               coalesce(m.id::text, '') as "farmId", coalesce(m.name, s.field_name) as "farmName",
               coalesce(t.unit::text, '') as "unitId", coalesce(h.name || ' ' || u.name, '') as "unitName", ${ms(at)} as "atMs",
               t.disinfection_number <> '' as washed, coalesce(t.disinfection_until < ${at}, false) as "washOver", t.dried
          from transits t join sale_fields s on s.id = t.field
          left join (units u join pig_houses h on h.id = u.house_id) on u.id = t.unit
          left join farms m on m.id = h.farm_id
          left join lateral (select min(e.created_at) as at from process_entries e
                              where e.process = 'transit' and e.row_id = t.id and e.event = 'load') l on true
         where ${inScope(scope, "t")} and t.state in ('loading', 'departed', 'arrived', 'closed') and ${which} and ${within(at, span)}
         order by ${at} limit ${mostRows + 1}`.execute(db);
      return rows;
    },

    /** Movements of units, by time. */
    async movements(scope: TenantScope, units: readonly string[], span: Span): Promise<MovementRow[]> {
      const { rows } = await sql<MovementRow>`
        select m.id::text, m.unit_id::text as "unitId", m.kind, m.heads, ${ms(sql`m.happened_at`)} as "atMs",
               coalesce(u.id::text, '') as "otherUnitId", coalesce(h.name || ' ' || u.name, '') as "otherUnitName",
               coalesce(f.id::text, '') as "otherFarmId", coalesce(f.name, '') as "otherFarmName"
          from inventory_movements m
          left join (units u join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id)
               on u.id = m.other_unit_id and ${inScope(scope, "u")}
         where m.unit_id = any(${[...units]}::bigint[]) and ${inScope(scope, "m")} and ${within(sql`m.happened_at`, span)}
         order by m.happened_at, m.id limit ${mostRows + 1}`.execute(db);
      return rows;
    },
  };
}
export type TraceRepository = ReturnType<typeof traceRepository>;
