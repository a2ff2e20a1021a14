import type { AnalyticResult, KindAnalytics } from "@herdwise/contract";
import {
  climateTarget,
  type DeviceKindId,
  deviceKindIds,
  deviceKinds,
  fullFans,
  gearTable,
} from "@herdwise/device-kinds";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planBackfill, renderPart, splitMessages } from "../apps/simulator/src/backfill.ts";
import type { FleetDevice } from "../apps/simulator/src/fleet.ts";
import type { ScenarioRun } from "../apps/simulator/src/scenarios.ts";
import { initialState, reportTimeBefore, virtualDevice } from "../apps/simulator/src/virtual-device.ts";
import { createTestApp, type TestApp } from "./harness/app.ts";

/*
 * Every figure of every kind over a week as the simulator sends it, against the same figure worked out in SQL from the rows that are
 * stored: the reference knows the formulas of docs/analytics.md and none of the server's code. Settings, tables of gears and comfort
 * bands are what both are given.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The week that is asked for, and the time before it that figures compare with. */
const days = 7;
const simulatedDays = 17;

let app: TestApp;
let farm: string;
let sql: PoolClient;
/** The span is that of the last answer. */
let end = Math.floor(Date.now() / minuteMs) * minuteMs;
let start = end - days * dayMs;

interface Chosen {
  id: string;
  serialNumber: string;
  unitId: string | null;
  farmId: string;
}
const chosen = new Map<DeviceKindId, Chosen>();

/** Settings that devices tell of themselves here; the others have their defaults. */
const schedule = [
  { dest: "1", recipe: "洗消", litres: 100, on: "06:00", off: "12:00" },
  { dest: "2", recipe: "洗消", litres: 100, on: "13:00", off: "20:30" },
];
const settings: Partial<Record<DeviceKindId, Record<string, unknown>>> = {
  "dosing-station": { schedule },
  disinfect: { stock_strength: 12, contact_volume: 0.8 },
};
const setting = (kind: DeviceKindId, key: string): unknown =>
  settings[kind]?.[key] ?? deviceKinds[kind].parameters.find((parameter) => parameter.key === key)?.default;

/** What goes wrong in the week, so that shares are neither 0 nor 100 %. */
const scenarios: Partial<Record<DeviceKindId, string>> = {
  environment: "heat-wave",
  cough: "cough-episode",
  temperature: "fever-spread",
  disinfect: "stock-runs-out",
  deodorization: "clogged-pack",
  bathroom: "shower-bypass",
  "dosing-station": "valve-stuck",
  weighbridge: "restless-lorry",
};

/** Sends what a virtual device of the place would have sent, the days before now included. */
async function simulate(kind: DeviceKindId, { serialNumber, unitId }: Chosen): Promise<void> {
  const { rows } = await sql.query(
    `select u.id::text, u.pigsty_type as "pigstyType", u.head_count as "headCount", coalesce(u.average_weight_grams, 60000) as "weightGrams"
       from units u where u.id = $1`,
    [unitId],
  );
  const unit = rows[0] && { ...rows[0], ageDays: 110, mode: "normal" };
  const device: FleetDevice = { token: "", serialNumber, kind, firmwareVersion: "1.4.2", ...(unit && { unit }) };
  const name = scenarios[kind];
  const runs: ScenarioRun[] = name === undefined ? [] : [{ name, fromMs: end - 3 * dayMs, untilMs: null }];
  const virtual = virtualDevice(device, 20_261_123, runs);
  const begun = initialState(virtual, reportTimeBefore(virtual, end - simulatedDays * dayMs));
  for (const part of planBackfill(virtual, begun, end).parts) {
    const { entries, events } = renderPart(virtual, part);
    for (const [what, list] of [
      ["telemetry", entries],
      ["events", events],
    ] as const)
      for (const payload of splitMessages(list)) await send(serialNumber, what, payload);
  }
}

async function send(serialNumber: string, what: string, payload: string): Promise<void> {
  const answer = await app.http.inject({
    method: "POST",
    url: `/api/v1/demo-${serialNumber}/${what}`,
    payload,
    headers: { "content-type": "application/json" },
  });
  if (answer.statusCode !== 200) throw new Error(`${serialNumber} ${what}: ${answer.statusCode} ${answer.body}`);
}

/** A place of the farm's owner where all kinds that are looked at together stand. */
async function choose(): Promise<void> {
  const { rows } = await sql.query<Chosen & { kind: DeviceKindId }>(
    `select d.id::text, d.serial_number as "serialNumber", d.kind, d.unit_id::text as "unitId", d.farm_id::text as "farmId"
       from devices d left join units u on u.id = d.unit_id
      where d.tenant_id = '100002' and d.bound_at is not null and d.farm_id is not null and (d.unit_id is null or u.head_count > 0)
      order by d.serial_number`,
  );
  const unit = rows.find(
    ({ unitId, kind }) =>
      kind === "temperature" &&
      ["environment", "cough"].every((other) => rows.some((row) => row.kind === other && row.unitId === unitId)),
  )?.unitId;
  for (const kind of deviceKindIds) {
    const of = rows.filter((row) => row.kind === kind);
    const device = of.find(({ unitId }) => unitId !== null && unitId === unit) ?? of[0];
    if (device === undefined) throw new Error(`the farm has no ${kind}`);
    chosen.set(kind, device);
  }
}

const deviceOf = (kind: DeviceKindId): Chosen => chosen.get(kind) as Chosen;

/** What people write down: plans, withdrawal periods, treatments, and an alarm before a diagnosis. */
async function keepBooks(): Promise<void> {
  const injector = deviceOf("needleless");
  const monitor = deviceOf("cough");
  const unitId =
    injector.unitId ??
    (
      await sql.query(
        "select u.id from units u join pig_houses h on h.id = u.house_id where h.farm_id = $1 and u.head_count > 0 order by u.id",
        [injector.farmId],
      )
    ).rows[0].id;
  const day = (ago: number) => new Date(end + 8 * hourMs - ago * dayMs).toISOString().slice(0, 10);
  await sql.query("delete from treatments where tenant_id = '100002'");
  await sql.query("delete from vaccination_plans where tenant_id = '100002'");
  await sql.query("delete from medicines where tenant_id = '100002'");
  await sql.query(
    "insert into medicines (id, tenant_id, name, type, withdrawal_days) values (71, '100002', '伪狂犬', 'vaccine', 9), (72, '100002', '氟苯尼考', 'medicine', 20)",
  );
  await sql.query(
    `insert into vaccination_plans (id, tenant_id, task, unit_id, medicine_id, planned_on)
     values (81, '100002', 'W1', $1, 71, $2), (82, '100002', 'W2', $1, 71, $3), (83, '100002', 'W3', $1, 72, $2)`,
    [unitId, day(5), day(6)],
  );
  await sql.query(
    `insert into treatments (id, tenant_id, code, finding, type, unit_id, on_day, medicine_id) values
       (91, '100002', 'T1', '咳嗽', 'treatment', $1, $2, 72), (92, '100002', 'T2', '咳嗽', 'diagnosis', $1, $3, null),
       (93, '100002', 'T3', '咳嗽', 'diagnosis', $1, $4, null)`,
    [monitor.unitId, day(5), day(4), day(2)],
  );
  await sql.query(
    `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at, ended_at)
     select 99, '100002', $1, 'cough', 'index_doubled', 2, at, at, at from (select to_timestamp($2::float8 / 1000) as at) as a`,
    [monitor.id, end - 6.4 * dayMs],
  );
}

/** What no virtual device does by itself: sessions of the plans, shots that fail, changes of mode, hands on the fans, doses of acid. */
async function whatPeopleDo(): Promise<void> {
  const ago = (hours: number) => end - hours * hourMs;
  const shots = Array.from({ length: 120 }, (_, at) => ({
    ts: ago(5.5 * 24) + at * 20_000,
    type: "shot",
    id: `extra-${at}`,
    task: at < 70 ? "W1" : "W3",
    vaccine: at < 70 ? "伪狂犬" : "氟苯尼考",
    lot: at % 2 === 0 ? "L1" : "L2",
    operator: at % 3 === 0 ? "吴磊" : "刘洋",
    ear_tag: `E${at % 100}`,
    dose_set: 2,
    dose_act: at % 17 === 0 ? 1.1 : 1.9 + (at % 5) / 20,
    result: at % 17 === 0 ? "wet" : "ok",
  }));
  await send(
    deviceOf("needleless").serialNumber,
    "events",
    JSON.stringify([
      { ts: ago(5.5 * 24) - 60_000, type: "session_open", id: "x-open", task: "W1" },
      ...shots.slice(0, 70),
      { ts: ago(5.5 * 24) + 3_000_000, type: "session_closed", id: "x-closed", task: "W1", shots: 70, coverage: 91.5 },
    ]),
  );
  await send(deviceOf("needleless").serialNumber, "events", JSON.stringify(shots.slice(70)));
  await send(
    deviceOf("environment").serialNumber,
    "events",
    JSON.stringify([
      { ts: ago(60), type: "mode_change", id: "m1", from: "normal", to: "empty" },
      { ts: ago(51), type: "mode_change", id: "m2", from: "empty", to: "normal" },
      { ts: ago(30), type: "manual_override_start", id: "o1" },
      { ts: ago(27.5), type: "manual_override_end", id: "o2" },
    ]),
  );
  await send(
    deviceOf("temperature").serialNumber,
    "events",
    JSON.stringify(
      [20, 40, 60, 80, 100, 120, 130].map((hours) => ({
        ts: ago(hours),
        type: "fever_case",
        id: `case-${hours}`,
        pen: 3,
        pig: `P${hours % 50}`,
        t_core_est: 40.9,
        times_4h: 2,
      })),
    ),
  );
  await send(
    deviceOf("cough").serialNumber,
    "events",
    JSON.stringify([
      { ts: ago(20), type: "episode", id: "ep1", onset: new Date(ago(60)).toISOString(), peak: 31, duration_h: 40 },
    ]),
  );
  await send(
    deviceOf("deodorization").serialNumber,
    "events",
    JSON.stringify(
      [40, 80].map((hours) => ({ ts: ago(hours), type: "agent_dose", id: `d${hours}`, agent: "acid", litres: 3.5 })),
    ),
  );
}

/** The rows of a device as tables: points by the minute, a value for each minute of the week, records. */
async function lay(kind: DeviceKindId): Promise<void> {
  const { id } = deviceOf(kind);
  await sql.query("drop table if exists points, grid, told, past_points, past_grid, heard, hours");
  await sql.query(
    `create temp table past_points as
     select key, date_trunc('minute', ts) as at,
            avg(case jsonb_typeof(value) when 'boolean' then value::boolean::int::float8 else value::text::float8 end) as value
       from telemetry_values t cross join lateral jsonb_each(t.readings)
      where device_id = ${id} and jsonb_typeof(value) in ('number', 'boolean')
        and ts >= to_timestamp(${end - 30 * dayMs} / 1000.0) and ts < to_timestamp(${end} / 1000.0)
      group by 1, 2`,
  );
  await sql.query(`create temp table points as select * from past_points where at >= to_timestamp(${start} / 1000.0)`);
  const held = (from: string, hold: string) =>
    `select key, generate_series(at, least(next, at + ${hold}, to_timestamp(${end} / 1000.0)) - interval '1 min', interval '1 min') as minute, value
       from (select *, lead(at) over (partition by key order by at) as next from ${from}) as p`;
  await sql.query(`create temp table grid as ${held("points", "interval '65 min'")}`);
  await sql.query(
    `create temp table past_grid as ${held("(select * from past_points where key = 'coughs') as c", "interval '8 hours'")}
     union all ${held("(select * from past_points where key = 'laeq') as l", "interval '65 min'")}`,
  );
  await sql.query("create index on grid (key, minute)");
  // A count of five minutes holds in each minute in which the device was heard.
  await sql.query(
    `create temp table heard as select c.minute, c.value / 5.0 as coughs
       from past_grid c join past_grid l on l.minute = c.minute and l.key = 'laeq' where c.key = 'coughs'`,
  );
  await sql.query("create index on heard (minute)");
  const herd = (["environment", "cough", "temperature"] as const).map((of) => deviceOf(of).id);
  await sql.query(
    `create temp table hours as
     select device_id::text as device, key, date_trunc('hour', ts) as hour, min(v) as low, avg(v) as middle, max(v) as high from (
       select device_id, ts, key, value::text::float8 as v from telemetry_values t cross join lateral jsonb_each(t.readings)
        where device_id in (${herd.join()}) and key in ('nh3', 't_in', 'water', 'rdi', 'fever_share') and ts < to_timestamp(${end} / 1000.0)
          and ts >= to_timestamp(${end - 30 * dayMs} / 1000.0)) as r group by 1, 2, 3`,
  );
  await sql.query(
    `create temp table told as select type, ts, body from device_events
      where device_id = ${id} and ts >= to_timestamp(${start} / 1000.0) and ts < to_timestamp(${end} / 1000.0)`,
  );
  for (const table of ["points", "grid", "told", "heard", "hours"]) await sql.query(`analyze ${table}`);
}

/** Minutes in which all keys are known, with a column for each: `m(minute, t_in, rh)`. */
const minutes = (...keys: string[]): string =>
  `(select ${keys[0]}.minute, ${keys.map((key) => `${key}.value as ${key}`).join(", ")} from grid ${keys[0]} ${keys
    .slice(1)
    .map((key) => `join grid ${key} on ${key}.minute = ${keys[0]}.minute and ${key}.key = '${key}'`)
    .join(" ")} where ${keys[0]}.key = '${keys[0]}') as m`;
const localDay = "to_char(minute at time zone 'Asia/Shanghai', 'YYYY-MM-DD')";
const dayOfTs = "to_char(ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD')";
/** Of the points of a key: its gains, its falls, the days it covers, its last value. */
const steps = (key: string) =>
  `(select value, value - lag(value) over (order by at) as step, at from points where key = '${key}') as s`;
const grown = (key: string) =>
  `(select sum(case when step >= 0 then step when step < 0 then value end) from ${steps(key)})`;
const fallen = (key: string) => `(select sum(-least(step, 0)) from ${steps(key)})`;
const covered = (key: string) =>
  `(select extract(epoch from max(at) - min(at)) / 86400.0 from points where key = '${key}')`;
const last = (key: string) => `(select value from points where key = '${key}' order by at desc limit 1)`;
const left = (key: string) =>
  `(select case when ${fallen(key)} > 0 and ${covered(key)} >= 0.25 then ${last(key)} / (${fallen(key)} / ${covered(key)}) end)`;
const count = (of: string, filter: string) =>
  `(100.0 * count(*) filter (where ${filter}) / nullif(count(*), 0)) from ${of}`;
const field = (name: string) => `(body ->> '${name}')`;
const shareBy = (label: string, of: string, good: string) =>
  `select ${label} as label, 100.0 * count(*) filter (where ${good}) / count(*) as value from ${of} group by 1 having ${label} <> ''`;

interface Given {
  /** Heads in the books: of the unit, else of the farm. */
  pigs: number;
  /** The unit that it stands in, if any. */
  unitId: string | null;
  farmId: string;
  weightKg: number;
  pigstyType: Parameters<typeof climateTarget>[0];
  volume: number;
}

/**
 * SQL of the figure (null where it has parts alone), of its rows (`label, value`) and of the cells of its grid that have a value
 * (`line, place, value`); what says the same in another order agrees.
 */
type Reference = readonly [value: string | null, rows?: string | undefined, cells?: string];

/** Windows of a third of the time after which a device counts as offline, in whole minutes and at least five, with any report in them. */
function completeness(kind: DeviceKindId): Reference {
  const windowMs = Math.max(5, Math.floor(deviceKinds[kind].offlineAfterS / 180)) * minuteMs;
  const due = Math.floor(end / windowMs) - Math.ceil(start / windowMs);
  return [
    `select 100.0 * least(${due}, count(distinct floor(extract(epoch from ts) * 1000 / ${windowMs}))) / ${due} from telemetry
      where device_id = ${deviceOf(kind).id} and ts >= to_timestamp(${start} / 1000.0) and ts < to_timestamp(${end} / 1000.0) having count(*) > 0`,
  ];
}

const references: Record<DeviceKindId, (given: Given) => Record<string, Reference>> = {
  environment: ({ pigs, weightKg, pigstyType }) => {
    const { temperatureComfort: comfort, lightLux, lightHours } = climateTarget(pigstyType, weightKg);
    const least = setting("environment", "min_ventilation") as { basis: string; value: number };
    const air = least.basis === "weight" ? `${least.value} * ${weightKg} * heads` : `${least.value} * heads`;
    const heads = `coalesce((select value from grid p where p.key = 'pigs' and p.minute = m.minute), ${pigs})`;
    const mode = `coalesce((select body ->> 'to' from told where type = 'mode_change' and ts <= m.minute order by ts desc limit 1),
      (select body ->> 'from' from told where type = 'mode_change' order by ts limit 1))`;
    const housed = (...keys: string[]) =>
      `(select * from (select m.*, ${heads} as heads, ${mode} as mode from ${minutes(...keys)}) as h where heads > 0 and mode = 'normal') as m`;
    const index = "1.8 * t_in + 32 - (0.55 - 0.0055 * rh) * (1.8 * t_in - 26)";
    const perPigDay = (key: string) =>
      `select ${grown(key)} / (coalesce((select avg(value) from grid where key = 'pigs'), ${pigs}) * ${covered(key)})`;
    const probe = (n: number) =>
      `(select 100.0 * count(*) filter (where t${n} between -40 and 80 and abs(t${n} - t_in) <= 2) / count(*) from ${minutes(`t${n}`, "t_in")})`;
    const rows = gearTable(20).map(
      (row) => `(${row.gear}, ${(row.t_up - 20).toFixed(1)}, ${(row.t_down - 20).toFixed(1)}, ${fullFans(row)})`,
    );
    const gears = `(values ${rows.join(", ")}) as g (gear, up, down, fans)`;
    const wanted = `(select case when gear < rising then rising else least(gear, holding) end as wanted, * from (
      select m.*, ${air} as air,
        coalesce((select max(g.gear) from ${gears} where m.t_in >= round((m.t_target + g.up)::numeric, 1)), 1) as rising,
        coalesce((select max(g.gear) from ${gears} where m.t_in >= round((m.t_target + g.down)::numeric, 1)), 1) as holding,
        (select g.fans from ${gears} where g.gear = m.gear) as moving
      from ${housed("t_in", "t_target", "gear", "vent")}) as j) as m`;
    const followed = `(select *, case when coalesce(moving, 0) <= 0 or vent <= 0 then wanted else greatest(wanted,
      coalesce((select min(g.gear) from ${gears} where g.fans * (vent / moving) >= air), 18)) end as best from ${wanted}) as m`;
    const lit = `(select ${localDay} as label, count(*) as known, count(*) filter (where lux >= ${lightLux[0]} * 0.9) as lit
      from ${minutes("lux")} group by 1) as d where known >= 1200`;
    const enough = `least(100, 100.0 * lit / (${lightHours[0]} * 60 * 0.95))`;
    return {
      comfort_time: [`select ${count(housed("t_in"), `t_in between ${comfort[0]} and ${comfort[1]}`)}`],
      thi_hours: [
        `select count(*) filter (where ${index} >= 74) / 60.0 from ${minutes("t_in", "rh")}`,
        `select label, (select count(*) filter (where ${index} >= low and ${index} < high) / 60.0 from ${minutes("t_in", "rh")}) as value
           from (values ('normal', -1e9, 74), ('alert', 74, 79), ('danger', 79, 84), ('emergency', 84, 1e9)) as b (label, low, high)`,
      ],
      ventilation_compliance: [`select ${count(followed, "abs(gear - best) <= 1 and vent >= air")}`],
      gear_histogram: [
        `select max(n) / 60.0 from (select count(*) as n from ${minutes("gear")} group by round(gear)) as c`,
        `select round(gear)::text as label, count(*) / 60.0 as value from ${minutes("gear")} group by 1`,
      ],
      degree_hours: [
        `select sum(greatest(0, abs(t_in - t_target) - 3)) / 60.0 from ${minutes("t_in", "t_target")}`,
        `select 'above' as label, sum(greatest(0, t_in - t_target - 3)) / 60.0 as value from ${minutes("t_in", "t_target")}
         union all select 'below', sum(greatest(0, t_target - t_in - 3)) / 60.0 from ${minutes("t_in", "t_target")}`,
      ],
      daily_range: [
        `select max(r) from (select max(t_in) - min(t_in) as r from ${minutes("t_in")} group by ${localDay}) as d`,
        `select ${localDay} as label, max(t_in) - min(t_in) as value from ${minutes("t_in")} group by 1`,
      ],
      energy_per_pig_day: [perPigDay("kwh")],
      water_per_pig_day: [perPigDay("water")],
      ammonia_hours: [`select count(*) filter (where nh3 > 20) / 60.0 from ${minutes("nh3")}`],
      override_hours: [
        `select sum(extract(epoch from ceil_end - ceil_start)) / 3600 from (
           select to_timestamp(ceil(extract(epoch from ts) / 60) * 60) as ceil_start,
                  to_timestamp(ceil(extract(epoch from lead(ts) over (order by ts)) / 60) * 60) as ceil_end, type
             from told where type like 'manual_override%') as o where type = 'manual_override_start'`,
      ],
      probe_health: [
        `select least(${[1, 2, 3, 4].map(probe).join(", ")})`,
        [1, 2, 3, 4].map((n) => `select '${n}' as label, ${probe(n)} as value`).join(" union all "),
      ],
      light_compliance: [
        `select 100.0 * count(*) filter (where ${enough} >= 100) / count(*) from ${lit}`,
        `select label, ${enough} as value from ${lit}`,
      ],
    };
  },

  cough: ({ pigs, unitId }) => {
    const at = (ms: number) => `to_timestamp(${ms} / 1000.0)`;
    const covered = setting("cough", "pigs_covered");
    const heads = typeof covered === "number" && covered < pigs ? covered : pigs;
    const index = (from: string, to: string) =>
      `(select case when count(*) >= 16 * 60 then sum(coughs) / ${heads} * 24 / (count(*) / 60.0) end from heard where minute >= ${from} and minute < ${to})`;
    const before = `(select ${index(`${at(end)} - (n + 1) * interval '1 day'`, `${at(end)} - n * interval '1 day'`)} as i from generate_series(1, 14) n) as b`;
    const cells = `(select to_char(date_trunc('hour', minute) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as line,
        extract(hour from date_trunc('hour', minute) at time zone 'Asia/Shanghai')::text as place, round(sum(coughs) / (count(*) / 60.0)) as value
      from heard where minute >= ${at(start)} and minute < ${at(end)} group by date_trunc('hour', minute) having count(*) >= 30) as cells`;
    // Coughs per pig in an episode beyond what the baseline makes of its heard hours.
    const lasted = `(body ->> 'duration_h')::float8`;
    const excess = `(select sum(coughs) / ${heads} - (select avg(i) from ${before}) / 24 * count(*) / 60.0 from heard
        where minute >= date_trunc('minute', ts - ${lasted} * interval '1 hour' + interval '30 s') and minute < date_trunc('minute', ts + interval '30 s'))`;
    const episodes = `select to_char((body ->> 'onset')::timestamptz at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') as line, c.place, c.value
        from told cross join lateral (values ('peak', (body ->> 'peak')::float8), ('duration_h', ${lasted}), ('excess', ${excess})) as c (place, value)
       where type = 'episode'`;
    const midnight = (ms: string) =>
      `(date_trunc('day', ${ms} at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai')`;
    const beside = deviceOf("environment").id;
    const airOf = `(select ${midnight("hour")} as day, key, case when key = 'nh3' then avg(middle) else max(high) - min(low) end as air
        from hours where device = '${beside}' and key in ('nh3', 't_in') group by 1, 2 having count(*) >= 16) as a`;
    const dayIndex = `(select ${midnight("minute")} as day, sum(coughs) / ${heads} * 24 / (count(*) / 60.0) as i
        from heard where minute >= ${at(end - 30 * dayMs)} group by 1 having count(*) >= 16 * 60) as c`;
    const lags = `select a.key || ' ' || lag as label, corr(c.i, a.air) as value
        from generate_series(1, 7) lag cross join ${dayIndex} join ${airOf} on a.day = c.day - lag * interval '1 day'
       where c.day >= ${at(end - 30 * dayMs)} and c.day < ${at(end - dayMs)} group by a.key, lag having count(*) >= 8`;
    const responses = `(select 100.0 * (${index("d + interval '1 day'", "d + interval '4 days'")} / ${index("d - interval '3 days'", "d")} - 1) as value,
        to_char(on_day, 'YYYY-MM-DD') || ' · ' || m.name as label
        from (select on_day, medicine_id, on_day::timestamp at time zone 'Asia/Shanghai' as d from treatments where unit_id = ${unitId} and type = 'treatment') as t
        join medicines m on m.id = t.medicine_id where d + interval '4 days' <= ${at(end)}) as r`;
    const leads = `(select greatest(0, extract(epoch from d - (select min(raised_at) from alarms where device_id = ${deviceOf("cough").id}
          and raised_at >= d - interval '14 days' and raised_at < d + interval '1 day' and not (late or suppressed or withdrawn))) / 3600) as value, to_char(on_day, 'YYYY-MM-DD') as label
        from (select on_day, on_day::timestamp at time zone 'Asia/Shanghai' as d from treatments where unit_id = ${unitId} and type = 'diagnosis') as t) as l`;
    return {
      index_against_baseline: [
        `select ${index(at(end - dayMs), at(end))}`,
        `select 'now' as label, ${index(at(end - dayMs), at(end))} as value
         union all select 'baseline', avg(i) from ${before} having count(i) >= 7
         union all select 'alert', avg(i) + 3 * stddev_samp(i) from ${before} having count(i) >= 7`,
      ],
      heatmap: [`select sum(value) from ${cells}`, undefined, `select * from ${cells}`],
      zone_map: [null, `select body ->> 'zone' as label, count(*) as value from told where type = 'cough' group by 1`],
      episodes: ["select count(*) from told where type = 'episode'", undefined, episodes],
      lag_correlation: [`select value from (${lags}) as l order by abs(value) desc limit 1`, lags],
      treatment_response: [`select avg(value) from ${responses}`, `select label, value from ${responses}`],
      lead_time: [
        `select percentile_cont(0.5) within group (order by value) from ${leads}`,
        `select label, value from ${leads}`,
      ],
    };
  },

  needleless: ({ pigs, farmId }) => {
    const good = "(select * from told where type = 'shot' and body ->> 'result' = 'ok') as g";
    const reached = (of: string) =>
      `(select coalesce(nullif(count(distinct nullif(${field("ear_tag")}, '')), 0), count(*)) from ${of})`;
    // All plans are of one unit here, and so is what units are injected in by a task.
    const due = `(select p.task, exists (select from device_events e join devices d on d.id = e.device_id
          where d.farm_id = ${farmId} and d.kind = 'needleless' and e.type = 'session_closed' and e.body ->> 'task' = p.task
            and e.ts >= p.day - interval '3 days' and e.ts < p.day + interval '4 days' and e.ts >= to_timestamp(${start} / 1000.0)) as good
        from (select task, planned_on::timestamp at time zone 'Asia/Shanghai' as day from vaccination_plans where tenant_id = '100002') as p
        where p.day >= to_timestamp(${start} / 1000.0) and p.day + interval '4 days' <= to_timestamp(${end} / 1000.0)) as due`;
    const goodOfFarm = `(select e.type, e.ts, e.body from device_events e join devices d on d.id = e.device_id
        where d.farm_id = ${farmId} and d.kind = 'needleless' and e.type = 'shot' and e.body ->> 'result' = 'ok'
          and e.ts >= to_timestamp(${start} / 1000.0) and e.ts < to_timestamp(${end} / 1000.0)) as g`;
    // That of the task's plan, else the only one of the farm that is called as the injector says.
    const placedOf = (
      shots: string,
    ): string => `(select g.*, coalesce((select unit_id from vaccination_plans p where p.task = ${field("task")}),
          (select case when count(*) = 1 then min(u.id) end from units u join pig_houses h on h.id = u.house_id
            where h.farm_id = ${farmId} and u.name = ${field("unit")})) as unit_id from ${shots}) as g`;
    const placed = placedOf(good);
    const unitLabel =
      "(select h.name || ' · ' || u.name from units u join pig_houses h on h.id = u.house_id where u.id = unit_id)";
    const waits = `(select concat_ws(' · ', ${unitLabel}, m.name, until) as label,
          greatest(0, until - (to_timestamp(${end} / 1000.0) at time zone 'Asia/Shanghai')::date) as value
        from (select unit_id, m.name, (max(ts) at time zone 'Asia/Shanghai')::date + m.withdrawal_days as until
          from ${placed} join medicines m on m.name = ${field("vaccine")} and m.tenant_id = '100002' group by unit_id, m.id, m.name, m.withdrawal_days) as m) as w`;
    const squares = `select ${unitLabel} as line, vaccine as place, least(100, 100.0 * reached / (select head_count from units where id = unit_id)) as value
        from (select unit_id, ${field("vaccine")} as vaccine, coalesce(nullif(count(distinct nullif(${field("ear_tag")}, '')), 0), count(*)) as reached
          from ${placedOf(goodOfFarm)} where unit_id is not null and coalesce(${field("vaccine")}, '') <> '' group by 1, 2) as s`;
    const sessions = `(select type, ts, lead(ts) over w as next, lead(type) over w as then from told
        where type in ('session_open', 'session_closed') window w as (order by ts)) as s`;
    return {
      coverage: [`select least(100, 100.0 * ${reached(good)} / ${pigs})`, undefined, squares],
      on_time: [
        `select 100.0 * count(*) filter (where good) / count(*) from ${due}`,
        `select task as label, 0 as value from ${due} where not good`,
      ],
      withdrawal: [`select max(value) from ${waits}`, `select * from ${waits}`],
      session_coverage: [`select avg(${field("coverage")}::float8) from told where type = 'session_closed'`],
      valid_shots: [`select ${count("told", "body ->> 'result' = 'ok'")} where type = 'shot'`],
      dose_accuracy: [
        `select avg(100 * (1 - abs(${field("dose_act")}::float8 - ${field("dose_set")}::float8) / ${field("dose_set")}::float8)) from ${good}`,
      ],
      waste: [`select sum(${field("dose_act")}::float8) from told where type = 'shot' and body ->> 'result' <> 'ok'`],
      rate: [
        `select (select count(*) from told where type = 'shot') / (sum(extract(epoch from coalesce(
            case when s.then = 'session_closed' then next end, (select max(ts) from told where type = 'shot')) - ts)) / 3600)
          from ${sessions} where type = 'session_open' and s.then is distinct from 'session_open'`,
      ],
      operators: [
        null,
        shareBy(field("operator"), "(select * from told where type = 'shot') as t", "body ->> 'result' = 'ok'"),
      ],
      lot_trace: [
        null,
        `select concat_ws(' · ', nullif(${field("vaccine")}, ''), nullif(${field("lot")}, '')) as label,
            coalesce(nullif(count(distinct nullif(${field("ear_tag")}, '')), 0), count(*)) as value from ${good} group by 1`,
      ],
    };
  },

  temperature: ({ pigs }) => {
    const rounds = `(select ts, ${field("n")}::float8 as n, ${field("fever")}::float8 as fever, ${field("scanned")}::float8 as scanned from told where type = 'round_end') as r`;
    const from = setting("temperature", "fever_from") as number;
    // A scan says how many readings it is of, and how many of them are feverish; one that does not is one reading.
    const readings = `coalesce(${field("n")}::float8, 1)`;
    const feverish = `coalesce(${field("fever")}::float8, (${field("t_core_est")}::float8 >= ${from})::int)`;
    const pens = `select ${field("pen")} as label, 100.0 * sum(${feverish}) / sum(${readings}) as value
        from told where type = 'scan' and ${field("t_core_est")} is not null group by 1 having ${field("pen")} <> ''`;
    const at = (ms: number) => `to_timestamp(${ms} / 1000.0)`;
    const penDays = `select line, place, 100.0 * sum(fever) / sum(n) as value
        from (select ${dayOfTs} as line, ${field("pen")} as place, ${feverish} as fever, ${readings} as n,
            dense_rank() over (order by ${dayOfTs} desc) as age from told where type = 'scan' and ${field("t_core_est")} is not null) as p
       where age <= 6 and place <> '' group by 1, 2`;
    const score = (
      device: string,
      key: string,
      of: string,
    ) => `(select (max(v) filter (where n = 0) - avg(v) filter (where n > 0)) / stddev_samp(v) filter (where n > 0)
        from (select floor(extract(epoch from ${at(end)} - hour - interval '1 ms') / 86400)::int as n, ${of} as v from hours where device = '${device}' and key = '${key}' group by 1) as d where n between 0 and 14)`;
    const parts = `select 'cough' as label, ${score(deviceOf("cough").id, "rdi", "avg(middle)")} as value
        union all select 'fever', ${score(deviceOf("temperature").id, "fever_share", "avg(middle)")}
        union all select 'water', -${score(deviceOf("environment").id, "water", "max(high) - min(low)")}`;
    return {
      fever_curve: [
        `select 100 * sum(fever) / sum(n) from ${rounds} where scanned >= 80`,
        `select ${dayOfTs} as label, 100 * sum(fever) / sum(n) as value from ${rounds} where scanned >= 80 group by 1`,
      ],
      pen_map: [`select max(value) from (${pens}) as p`, pens, penDays],
      respiratory_score: [`select sum(value) from (${parts}) as p`, parts],
      attack_rate: [
        `select 100.0 * nullif(count(distinct nullif(${field("pig")}, '')), 0) / ${pigs} from told where type = 'fever_case'`,
      ],
      growth: [
        `select 1.0 * count(*) filter (where ts >= ${at(end - 3 * dayMs)}) / nullif(count(*) filter (where ts < ${at(end - 3 * dayMs)} and ts >= ${at(end - 6 * dayMs)}), 0)
           from told where type = 'fever_case'`,
      ],
      scan_coverage: [`select avg(scanned) from ${rounds}`],
      rounds_unjudged: [`select count(*) filter (where coalesce(scanned, 0) < 80) from ${rounds}`],
    };
  },

  bathroom: () => {
    const all = "(select * from told where type in ('shower', 'bypass')) as t";
    const good = "type = 'shower' and body ->> 'result' = 'passed'";
    const hour = "extract(hour from ts at time zone 'Asia/Shanghai')";
    const shower = (of: string) => `select ${of} from told where type = 'shower'`;
    const loads = `select to_char(ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:00') as label, count(*) as value from told where type = 'shower' group by 1`;
    return {
      compliance: [`select ${count(all, good)}`, shareBy(field("team"), all, good)],
      compliance_by_day: [null, shareBy(dayOfTs, all, good)],
      compliance_by_shift: [
        null,
        shareBy(
          `case when ${hour} between 6 and 13 then 'early' when ${hour} between 14 and 21 then 'late' else 'night' end`,
          all,
          good,
        ),
      ],
      // Persons leave the server shortened: their number and shares are compared.
      compliance_by_person: [null, shareBy(field("person"), all, good)],
      reasons: [
        `select count(*) from ${all} where not (${good})`,
        `select case type when 'bypass' then 'bypass' else coalesce(nullif(${field("reason")}, ''), ${field("result")}) end as label, count(*) as value
           from ${all} where not (${good}) group by 1`,
      ],
      duration: [shower(`percentile_cont(0.5) within group (order by ${field("water_s")}::float8)`)],
      duration_p10: [shower(`percentile_cont(0.1) within group (order by ${field("water_s")}::float8)`)],
      bypasses: ["select count(*) from told where type = 'bypass'"],
      peak_load: [
        `select max(value) from (${loads}) as l`,
        `select * from (${loads}) as l order by value desc, label limit 5`,
      ],
      use_per_shower: [shower(`avg(${field("litres")}::float8)`)],
      energy_per_shower: [`select ${grown("kwh")} / (select count(*) from told where type = 'shower')`],
      water_used: [shower(`sum(${field("litres")}::float8)`)],
    };
  },

  disinfect: ({ pigs }) => {
    const [strength, contact] = ["stock_strength", "contact_volume"].map((key) => setting("disinfect", key) as number);
    const flowing = `(select * from ${minutes("flow", "free_cl")} where flow > 0.05) as m`;
    const ct = `free_cl * (${contact} / flow) * 60`;
    const tenth = (of: string) => `percentile_cont(0.1) within group (order by ${of})`;
    const nights = `(select min(flow) as low from ${minutes("flow")} where extract(hour from minute at time zone 'Asia/Shanghai') < 4 group by ${localDay}) as n`;
    return {
      residual_compliance: [
        `select ${count(flowing, "free_cl between 0.5 and 2")}`,
        shareBy(localDay, flowing, "free_cl between 0.5 and 2"),
      ],
      ct: [
        `select ${tenth(ct)} from ${flowing}`,
        `select ${localDay} as label, ${tenth(ct)} as value from ${flowing} group by 1`,
      ],
      chlorine_per_m3: [`select sum(pump / 1000 * ${strength}) / sum(flow / 60) from ${minutes("pump", "flow")}`],
      water_per_pig_day: [`select ${grown("total")} * 1000 / (${pigs} * ${covered("total")})`],
      stock_days: [`select ${left("stock")}`],
      acid_days: [`select ${left("acid")}`],
      leak: [`select 1000 * percentile_disc(0.5) within group (order by low) from ${nights}`],
    };
  },

  deodorization: () => {
    const [low, high, ec] = ["ph_low", "ph_high", "ec_max"].map((key) => setting("deodorization", key) as number);
    const air = minutes("airflow", "nh3_in", "nh3_out");
    const captured = `(select sum(airflow / 60 * (nh3_in - nh3_out)) * 0.7 / 1e6 from ${air})`;
    const moved = `(select sum(airflow / 60) / 1000 from ${air})`;
    const register = "(select * from told where type = 'hourly_record') as t";
    return {
      ammonia_removal: [`select 100 * (1 - sum(airflow * nh3_out) / sum(airflow * nh3_in)) from ${air}`],
      ammonia_captured: [`select ${captured}`],
      uptime: [`select ${count(`(select * from ${minutes("gear", "pump")} where gear > 0) as m`, "pump >= 0.5")}`],
      compliant_hours: [
        `select 100.0 * least(${24 * days}, count(*) filter (where ${field("ph")}::float8 between ${low} and ${high} and ${field("ec")}::float8 <= ${ec}
            and ${field("dp")}::float8 <= 150 and body ? 'discharge' and body ? 'kwh')) / ${24 * days} from ${register} having count(*) > 0`,
      ],
      missing_hours: [`select greatest(0, ${24 * days} - count(*)) from ${register} having count(*) > 0`],
      acid_per_ammonia: [
        `select sum(${field("litres")}::float8) / ${captured} from told where type = 'agent_dose' and body ->> 'agent' = 'acid'`,
      ],
      energy_per_air: [`select ${grown("kwh")} / ${moved}`],
      use_per_air: [`select ${grown("discharge")} * 1000 / ${moved}`],
      pad_forecast: [
        `select case when slope > 0.05 then greatest(0, (150 - ${last("dp")}) / slope) end
           from (select regr_slope(value, extract(epoch from at) / 86400.0) as slope from points where key = 'dp') as s`,
      ],
    };
  },

  "bungalow-deodorization": () => {
    const fanM3h = setting("bungalow-deodorization", "fan_capacity") as number;
    const ratio = setting("bungalow-deodorization", "ratio") as number;
    const fans = gearTable(20)
      .map((row) => `(${row.gear}, ${fullFans(row)})`)
      .join(", ");
    const air = `(select sum(coalesce(f.fans, 0) * ${fanM3h} / 60) / 1000 from ${minutes("gear")} left join (values ${fans}) as f (gear, fans) on f.gear = round(m.gear))`;
    const runs = "(select * from told where type = 'spray_run') as r";
    const limits = `nh3_boundary <= 1.5 and h2s_boundary <= 0.06 and odour <= 70`;
    return {
      removal: [
        `select 100 * (1 - sum(nh3_after) / sum(nh3_before)) from (
           select *, max(flow) over (order by minute range between interval '30 minutes' preceding and current row) as wet
             from ${minutes("nh3_before", "nh3_after", "flow")}) as w where wet > 0`,
      ],
      boundary_compliance: [
        `select ${count(`(select bool_and(${limits}) as good from ${minutes("nh3_boundary", "h2s_boundary", "odour")} group by date_trunc('hour', minute)) as h`, "good")}`,
      ],
      agent_per_air: [
        `select sum(${field("litres")}::float8 * coalesce((select value from grid where key = 'conc' and minute = date_trunc('minute', ts)), ${ratio}) / 100) / ${air} from ${runs}`,
      ],
      spray_hours: [`select sum(${field("duration_s")}::float8) / 3600 from ${runs}`],
      spray_share: [
        `select 100 * sum(${field("duration_s")}::float8) / 60 / (select count(*) from ${minutes("gear")} where gear > 0) from ${runs}`,
      ],
      spray_litres: [`select sum(${field("litres")}::float8) from ${runs}`],
    };
  },

  weighbridge: () => {
    const loads = `select to_char(ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:00') as label, count(*) as value from told where type = 'weighed' group by 1`;
    const before = (of: string) => `lag(${of}) over (partition by body ->> 'plate' order by ts)`;
    const visits = `(select * from (select ts - ${before("ts")} as away, abs(${field("weight_g")}::float8 - ${before("(body ->> 'weight_g')::float8")}) as net,
          ${field("phase")} = 'out' and ${before("body ->> 'phase'")} = 'in' as paired
        from told where type = 'weighed' and ${field("plate")} <> '') as t where paired and away <= interval '1 day') as v`;
    return {
      weighings: [
        "select count(*) from told where type = 'weighed'",
        `select ${field("phase")} as label, count(*) as value from told where type = 'weighed' group by 1`,
      ],
      net_total: [`select sum(net) / 1000 from ${visits}`],
      turnaround: [
        `select percentile_cont(0.5) within group (order by extract(epoch from away)::float8 / 60) from ${visits}`,
      ],
      stable_share: [
        `select ${count("(select * from told where type = 'weighed') as t", "body ->> 'stability' = 'stable'")}`,
      ],
      peak_load: [
        `select max(value) from (${loads}) as l`,
        `select * from (${loads}) as l order by value desc, label limit 5`,
      ],
      zero_worst: [`select max(abs(zero_kg)) from ${minutes("zero_kg")}`],
    };
  },

  "dosing-station": ({ pigs, volume }) => {
    const batches = "(select * from told where type = 'batch') as b";
    const actual = `${field("actual_l")}::float8`;
    const tanks = ["tank_1_l", "tank_2_l", "tank_3_l"];
    const remaining = tanks.map((key, at) => `select '${at + 1}' as label, ${left(key)} as value`).join(" union all ");
    const life = `select substring(key from '\\d+') as label, greatest(0, 100000 - value) as value from (
        select distinct on (key) key, value from points where key ~ '^valve_\\d+_cycles$' order by key, at desc) as v`;
    const begun = `coalesce(${field("start")}::timestamptz, ts) at time zone 'Asia/Shanghai'`;
    const periods = schedule
      .map(({ on, off }) => `to_char(${begun}, 'HH24:MI') between '${on}' and '${off}'`)
      .join(" or ");
    const metered = `(${grown("flow_1_total")} + ${grown("flow_2_total")})`;
    return {
      dose_accuracy: [
        `select avg(100 * (1 - abs(${actual} - ${field("target_l")}::float8) / ${field("target_l")}::float8)) from ${batches}`,
      ],
      batches_within: [`select ${count(batches, `abs(${field("deviation")}::float8) <= 5`)}`],
      on_schedule: [`select ${count(batches, periods)}`],
      use: [
        `select sum(${actual}) from ${batches}`,
        `select body ->> 'dest' as label, sum(${actual}) as value from ${batches} group by 1`,
      ],
      use_per_pig: [`select sum(${actual}) / ${pigs} from ${batches}`],
      use_per_volume: [`select sum(${actual}) / nullif(${volume}::float8, 0) from ${batches}`],
      stock_days: [
        `select min(value) from (${remaining}) as t`,
        `select * from (${remaining}) as t where value is not null`,
      ],
      valve_life: [`select min(value) from (${life}) as v`, life],
      mass_balance: [`select 100 * (${tanks.map(fallen).join(" + ")} - ${metered}) / ${metered}`],
      flush_compliance: [
        `select ${count(batches, "exists (select from told f where f.type = 'flush' and f.ts >= b.ts and f.ts <= b.ts + interval '10 min')")}`,
      ],
    };
  },
};

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
  sql = await app.test.database.pool.connect();
  await sql.query("set jit = off");
  await choose();
  const ids = [...chosen.values()].map(({ id }) => id);
  await sql.query("delete from device_parameters where device_id = any($1)", [ids]);
  for (const table of ["device_states", "device_readings"])
    await sql.query(`delete from ${table} where device_id = any($1)`, [ids]);
  await sql.query(
    "update devices set owned_since = null, created_at = now() - interval '100 days' where id = any($1)",
    [ids],
  );
  for (const [kind, told] of Object.entries(settings))
    await send(deviceOf(kind as DeviceKindId).serialNumber, "attributes", JSON.stringify(told));
  await keepBooks();
  await whatPeopleDo();
  for (const kind of deviceKindIds) await simulate(kind, deviceOf(kind));
});
afterAll(async () => {
  sql?.release();
  await app?.close();
});

const near = (value: number) => ({
  asymmetricMatch: (other: unknown) =>
    typeof other === "number" && Math.abs(other - value) <= 1e-6 * Math.max(1, Math.abs(value)),
  toString: () => "near",
  toAsymmetricMatcher: () => `≈ ${value}`,
});

describe("a simulated week comes to what SQL makes of its rows", () => {
  test.each(deviceKindIds)("%s", async (kind) => {
    const device = deviceOf(kind);
    const { body } = await app.get<KindAnalytics>(
      `/api/muyuan-iot/analytics/list?kind=${kind}&days=${days}&deviceId=${device.id}`,
      farm,
    );
    end = body.data.end;
    start = end - days * dayMs;
    expect(body.data.start).toBe(start);
    const results = new Map<string, AnalyticResult>(body.data.devices[0]?.results.map((result) => [result.id, result]));
    await lay(kind);
    const { rows: units } = await sql.query(
      `select pigsty_type as "pigstyType", head_count as pigs, average_weight_grams as grams, volume_cubic_meters as volume from units
        where ${device.unitId === null ? "house_id in (select id from pig_houses where farm_id = $1)" : "id = $1"}`,
      [device.unitId ?? device.farmId],
    );
    const given: Given = {
      pigs: units.reduce((sum, unit) => sum + unit.pigs, 0),
      unitId: device.unitId,
      farmId: device.farmId,
      weightKg: (units[0]?.grams ?? 0) / 1000,
      pigstyType: units[0]?.pigstyType,
      volume: units.reduce((sum, unit) => sum + Number(unit.volume ?? 0), 0),
    };
    const figures: Record<string, Reference> = {
      ...references[kind](given),
      report_completeness: completeness(kind),
    };
    const { analytics, pages } = deviceKinds[kind];
    const declared = analytics.map(({ id }) => id);
    expect(Object.keys(figures).toSorted()).toEqual(declared.toSorted());
    expect(declared).toEqual(expect.arrayContaining([...results.keys()]));
    // What a page draws as a grid has one to compare.
    const drawn = (pages?.parts ?? []).flatMap((part) => (part.type === "grid" ? [part.analytic] : []));
    expect(drawn.filter((id) => results.get(id)?.grid === undefined)).toEqual([]);
    const nothing: string[] = [];
    for (const id of declared) {
      const [value, rows, cells] = figures[id] as Reference;
      const found = results.get(id);
      // Whatever an answer holds is compared.
      if (value === null) expect.soft(found?.value, id).toBe(undefined);
      if (rows === undefined) expect.soft(found?.rows, `rows of ${id}`).toBe(undefined);
      if (cells === undefined) expect.soft(found?.grid, `grid of ${id}`).toBe(undefined);
      if (value !== null) {
        const { rows: answer } = await sql.query<Record<string, string | number | null>>(value);
        const [expected = null] = Object.values(answer[0] ?? {});
        if (expected === null) nothing.push(id);
        expect.soft(found?.value ?? null, id).toEqual(expected === null ? null : near(Number(expected)));
      }
      if (rows !== undefined) {
        const { rows: answer } = await sql.query<{ label: string; value: string | number }>(rows);
        const personal = analytics.find((analytic) => analytic.id === id)?.personal;
        const expected = answer.map(({ label, value }) => ({ label, value: Number(value) }));
        // Persons leave the server shortened: several have one label, so their figures alone are compared, the least first.
        if (personal) expected.sort((a, b) => a.value - b.value);
        const byLabel = (list: readonly { label: string; value: unknown }[]) =>
          Object.fromEntries(list.map((row, at) => [personal ? at : row.label, row.value]));
        expect
          .soft(byLabel(found?.rows ?? []), `rows of ${id}`)
          .toEqual(byLabel(expected.slice(0, 50).map(({ label, value }) => ({ label, value: near(value) }))));
      }
      if (cells !== undefined) {
        const { rows: answer } = await sql.query<{ line: string; place: string; value: string | number | null }>(cells);
        const told = answer.flatMap(({ line, place, value }) =>
          value === null ? [] : [[`${line} | ${place}`, near(Number(value))]],
        );
        if (told.length === 0) nothing.push(`grid of ${id}`);
        const { rows: lines = [], columns = [], cells: squares = [] } = found?.grid ?? {};
        const shown = squares.flatMap((row, line) =>
          row.flatMap(({ value }, place) =>
            value === undefined ? [] : [[`${lines[line]} | ${columns[place]}`, value] as const],
          ),
        );
        expect.soft(Object.fromEntries(shown), `grid of ${id}`).toEqual(Object.fromEntries(told));
      }
    }
    // Who agrees about nothing has shown nothing.
    expect(nothing).toEqual([]);
  });
});
