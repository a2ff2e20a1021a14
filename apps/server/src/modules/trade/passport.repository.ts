import type { PassportBody, PigstyType } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import { fetchedFirst } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { SignedText } from "./passport-seal.ts";

/** Where the pigs of an order come from. */
export interface Origin {
  lot: string;
  code: string;
  field: string;
  region: string;
  unitId: string | null;
  unit: string;
  pigstyType: PigstyType | null;
  weightGrams: number | null;
  category: string;
  /** yyyy-MM-dd */
  loadedOn: string;
  /** yyyy-MM-dd */
  housedOn: string | null;
  housedDays: number | null;
  ageDays: number | null;
  asked: "loaded" | "arrived";
}

/** Lowest and highest value of a channel in an hour, over the environment controllers of a unit. */
export interface ClimateHour {
  key: string;
  min: number;
  max: number;
}

/** A row in which the database may have nulls where the contract leaves a field out. */
type Nullable<Row> = {
  [Key in keyof Row]-?: undefined extends Row[Key] ? Exclude<Row[Key], undefined> | null : Row[Key];
};
export type VehicleOfPassport = Nullable<PassportBody["vehicles"][number]>;
export type MedicineOfPassport = Nullable<PassportBody["medicines"][number]>;

export type PassportVersion = SignedText & { version: number; issuedAt: Date };

/** Passports of loaded lots. @param db a pool or an open transaction */
export function passportRepository(db: Kysely<DB>) {
  return {
    /** Asks for a version: after the weighing a whole one, after an arrival one with its time. @param code of a first one */
    async ask(scope: SystemScope, order: string, since: "loaded" | "arrived", code: string): Promise<void> {
      requireSystemScope(scope);
      const column = sql.ref(`${since}At`);
      await sql`insert into passports as p ("order", code, ${column}) values (${order}, ${code}, clock_timestamp())
        on conflict ("order") do update set ${column} = excluded.${column}`.execute(db);
    },

    /** Orders for which a version is to be issued, the first asked for first. */
    async due(scope: SystemScope): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ order: string }>`
        select "order" from passports where loaded_at is not null or arrived_at is not null
         order by coalesce(loaded_at, arrived_at) limit 200`.execute(db);
      return rows.map(({ order }) => order);
    },

    /** Holds what was asked for; undefined where another server has it in hand, or it was issued. */
    async take(scope: SystemScope, order: string): Promise<Origin | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<Origin>`
        select o.number as lot, s.code, f.field_name as field, coalesce(concat(gp.name, pa.name, r.name), '') as region,
               u.id as "unitId", coalesce(h.name || ' ' || u.name, '') as unit, u.pigsty_type as "pigstyType",
               u.average_weight_grams as "weightGrams", p.category, p.day::text as "loadedOn", u.batch_arrived_on::text as "housedOn",
               p.day - u.batch_arrived_on as "housedDays", p.day - u.batch_arrived_on + u.batch_arrival_age_days as "ageDays",
               case when s.loaded_at is not null then 'loaded' else 'arrived' end as asked
          from passports s join sale_orders o on o.id = s."order" join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
          left join regions r on r.code = f.region_code left join regions pa on pa.code = r.parent_code
          left join regions gp on gp.code = pa.parent_code
          left join units u on u.id = p.unit left join pig_houses h on h.id = u.house_id
         where s."order" = ${order} and (s.loaded_at is not null or s.arrived_at is not null) for update of s skip locked`.execute(
        db,
      );
      return rows[0];
    },

    /** Vehicles of an order with their weights. */
    async vehicles(scope: SystemScope, order: string): Promise<VehicleOfPassport[]> {
      requireSystemScope(scope);
      const { rows } = await sql<VehicleOfPassport>`
        select w.heads::int as heads, w.net::int as "netGrams", t.disinfection_number as "disinfectionNumber",
               (extract(epoch from t.disinfected_at) * 1000)::float8 as "disinfectedMs",
               (extract(epoch from t.disinfection_until) * 1000)::float8 as "disinfectionUntilMs", t.dried,
               t.quarantine_number as "quarantineNumber", t.quarantine_until::text as "quarantineUntil",
               floor(extract(epoch from w.at) * 1000)::float8 as "loadedMs",
               floor(extract(epoch from t.departed_at) * 1000)::float8 as "departedMs",
               floor(extract(epoch from t.arrived_at) * 1000)::float8 as "arrivedMs"
          from transits t
          join lateral (select sum(w.heads) as heads, sum(w.gross_grams - w.tare_grams) as net, max(w.state_at) as at from weighings w
                         where w."order" = t."order" and w.plate = t.plate and w.state = 'confirmed') w on w.heads > 0
         where t."order" = ${order} and t.state <> 'cancelled' order by t.id`.execute(db);
      return rows;
    },

    /**
     * Medicines that a unit was given since its batch came, by the books and by what injectors reported of planned vaccinations.
     * @param since yyyy-MM-dd, a year before where nobody wrote down when the batch came
     */
    async medicines(
      scope: SystemScope,
      unit: string,
      since: string | null,
      until: string,
    ): Promise<MedicineOfPassport[]> {
      requireSystemScope(scope);
      const { rows } = await sql<MedicineOfPassport>`
        with shots as ${await fetchedFirst(db)} (
          select d.tenant_id, e.body, e.event_id, e.ts from devices d join device_events e on e.device_id = d.id
           where d.kind = 'needleless' and e.type = 'shot' and e.body ->> 'result' = 'ok'
             and d.tenant_id in (select v.tenant_id from vaccination_plans v where v.unit_id = ${unit})),
        given as (
          select t.on_day, t.last_day, t.medicine_id, 'treatment' as kind, t.heads, '{}'::text[] as lots from treatments t
           where t.unit_id = ${unit} and t.medicine_id is not null
          union all
          select v.planned_on, v.planned_on, v.medicine_id, 'vaccination', nullif(s.heads, 0), s.lots
            from vaccination_plans v
            left join lateral (
              select count(distinct coalesce(nullif(e.body ->> 'ear_tag', ''), e.event_id))::int as heads,
                     coalesce(array_agg(distinct e.body ->> 'lot') filter (where e.body ->> 'lot' <> ''), '{}') as lots
                from shots e
               where e.tenant_id = v.tenant_id and e.body ->> 'task' = v.task and e.ts >= (v.planned_on - 10)::timestamp at time zone 'Asia/Shanghai'
                 and e.ts < (v.planned_on + 11)::timestamp at time zone 'Asia/Shanghai') s on true
           where v.unit_id = ${unit})
        select g.on_day::text as day, m.name, g.kind, g.heads, g.lots, m.withdrawal_days as "withdrawalDays",
               (g.last_day + m.withdrawal_days)::text as "withdrawalUntil"
          from given g join medicines m on m.id = g.medicine_id
         where g.on_day >= coalesce(${since}::date, ${until}::date - 365) and g.on_day <= ${until}::date
         order by g.on_day, m.name`.execute(db);
      return rows;
    },

    /** Hours of a unit's environment controllers from one day to before another, without days whose values are not reliable. */
    async climate(
      scope: SystemScope,
      unit: string,
      keys: readonly string[],
      from: string,
      to: string,
    ): Promise<ClimateHour[]> {
      requireSystemScope(scope);
      const { rows } = await sql<ClimateHour>`
        select h.key, min(h.min) as min, max(h.max) as max
          from devices d join telemetry_hours h on h.device_id = d.id
         where d.unit_id = ${unit} and d.kind = 'environment' and h.key = any(${keys}::text[])
           and h.hour >= ${from}::timestamp at time zone 'Asia/Shanghai' and h.hour < ${to}::timestamp at time zone 'Asia/Shanghai'
           and h.hour >= coalesce(d.owned_since, '-infinity')
           and not exists (select from telemetry_unreliable_days n where n.device_id = h.device_id and n.key = h.key
                              and n.day = (h.hour at time zone 'Asia/Shanghai')::date)
         group by h.key, h.hour`.execute(db);
      return rows;
    },

    /** Whether a unit has an environment controller. */
    async isMonitored(scope: SystemScope, unit: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } =
        await sql`select from devices d where d.unit_id = ${unit} and d.kind = 'environment' limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Adds a version; nothing is to be issued any more. The caller holds the passport. */
    async issue(scope: SystemScope, order: string, { text, signature, publicKey, version, issuedAt }: PassportVersion) {
      requireSystemScope(scope);
      const row = { order, version, body: text, signature, publicKey, issuedAt };
      await db.insertInto("passportVersions").values(row).execute();
      await db.updateTable("passports").set({ loadedAt: null, arrivedAt: null }).where("order", "=", order).execute();
    },

    /** The newest version of an order's passport. */
    async newest(scope: SystemScope, order: string): Promise<PassportVersion | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<PassportVersion>`
        select v.version, v.body as text, v.signature, v.public_key as "publicKey", v.issued_at as "issuedAt" from passport_versions v
         where v."order" = ${order} order by v.version desc limit 1`.execute(db);
      return rows[0];
    },

    /** The newest version by the code of a QR code. */
    async byCode(scope: SystemScope, code: string): Promise<PassportVersion | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<PassportVersion>`
        select v.version, v.body as text, v.signature, v.public_key as "publicKey", v.issued_at as "issuedAt"
          from passports s join passport_versions v on v."order" = s."order"
         where s.code = ${code} order by v.version desc limit 1`.execute(db);
      return rows[0];
    },

    /** Code and newest version for who sees the order. */
    async ofOrder(
      scope: TenantScope,
      order: string,
    ): Promise<{ code: string; version: number; issuedAt: Date } | undefined> {
      const { rows } = await sql<{ code: string; version: number; issuedAt: Date }>`
        select s.code, v.version, v.issued_at as "issuedAt"
          from sale_orders o join passports s on s."order" = o.id join passport_versions v on v."order" = o.id
         where o.id = ${order} and ${inScope(scope, "o")} order by v.version desc limit 1`.execute(db);
      return rows[0];
    },
  };
}
