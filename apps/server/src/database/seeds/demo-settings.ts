import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";

interface SettingSeed {
  key: string;
  before: unknown;
  after: unknown;
  daysAgo: number;
  outcome: "applied" | "expired";
  /** Value that the controller reports, where it differs from the desired one. */
  reported?: unknown;
}

/** Settings of each customer's second controller, which the simulator runs and which accepts them. */
const settings: readonly SettingSeed[] = [
  { key: "rh_max", before: null, after: 80, daysAgo: 12, outcome: "applied" },
  { key: "nh3_boost_gear", before: null, after: 2, daysAgo: 12, outcome: "applied" },
  {
    key: "lighting",
    before: null,
    after: [
      { on: "06:00", off: "12:00", lux: 40, channel: 1 },
      { on: "14:00", off: "20:00", lux: 40, channel: 1 },
    ],
    daysAgo: 9,
    outcome: "applied",
  },
  {
    key: "control_periods",
    before: null,
    after: [{ on: "00:00", off: "05:30", t_offset: -0.5 }],
    daysAgo: 6,
    outcome: "applied",
  },
  { key: "rh_max", before: 80, after: 78, daysAgo: 2, outcome: "applied" },
];

/** Settings of the first controller, which somebody changed at the panel. */
const troubled: readonly SettingSeed[] = [
  { key: "comfort_band", before: null, after: 3, daysAgo: 8, outcome: "applied", reported: 2 },
  { key: "alarm_high_offset", before: null, after: 4, daysAgo: 5, outcome: "applied" },
  { key: "alarm_inhibit_min", before: null, after: 60, daysAgo: 3, outcome: "expired" },
];

interface CommandSeed {
  method: string;
  params: Record<string, unknown>;
  daysAgo: number;
  state: "succeeded" | "failed" | "expired";
  error?: string;
}

const commands: readonly CommandSeed[] = [
  { method: "setGear", params: { gear: 6, minutes: 30 }, daysAgo: 4, state: "succeeded" },
  { method: "resumeAutomatic", params: {}, daysAgo: 4, state: "succeeded" },
  { method: "setFan", params: { fan: 7, on: true }, daysAgo: 2, state: "failed", error: "fan 7: over-current" },
  { method: "setLight", params: { on: true }, daysAgo: 1, state: "expired" },
];

interface Controller {
  id: string;
  tenantId: string;
  accountId: string;
  actorName: string;
}

/** At most two controllers of each customer, with the person who looks after them. */
async function controllersOf(db: Kysely<DB>): Promise<Controller[][]> {
  const { rows } = await sql<Controller>`
    select d.id, d.tenant_id, a.id as account_id, a.real_name as actor_name
      from devices d
     cross join lateral (
       select a.id, a.real_name from memberships m join accounts a on a.id = m.account_id
        where m.tenant_id = d.tenant_id and a.real_name <> '' order by a.id limit 1) a
     where d.kind = 'environment' and d.unit_id is not null
     order by d.tenant_id, d.id`.execute(db);
  return [...Map.groupBy(rows, ({ tenantId }) => tenantId).values()].map((devices) => devices.slice(0, 2));
}

/** Gives the demo's controllers a history of settings (applied, changed at the panel, never delivered) and commands. */
export async function seedDemoSettings(db: Kysely<DB>, nextId: () => string): Promise<void> {
  const set = async ({ id, tenantId, accountId, actorName }: Controller, seed: SettingSeed): Promise<void> => {
    const change = nextId();
    const at = sql`now() - make_interval(days => ${seed.daysAgo})`;
    const [before, after] = [seed.before === null ? null : JSON.stringify(seed.before), JSON.stringify(seed.after)];
    const told = JSON.stringify({ [seed.key]: seed.reported ?? seed.after });
    const state = seed.outcome === "expired" ? "expired" : seed.reported === undefined ? "applied" : "drifted";
    await sql`
      insert into device_parameter_changes
        (id, tenant_id, device_id, key, before, after, created_by, actor_name, created_at, outcome, outcome_at)
      values (${change}, ${tenantId}, ${id}, ${seed.key}, ${before}::jsonb, ${after}::jsonb, ${accountId}, ${actorName}, ${at},
              ${seed.outcome}, ${at})`.execute(db);
    await sql`
      insert into device_parameters (device_id, key, state, changed_at, pushed_at, reported_at, change_id)
      values (${id}, ${seed.key}, ${state}, ${at}, ${at}, ${at}, ${change})
      on conflict (device_id, key) do update set state = excluded.state, changed_at = excluded.changed_at, change_id = excluded.change_id`.execute(
      db,
    );
    if (seed.outcome === "expired") return;
    await sql`update devices set shared_attributes = shared_attributes || jsonb_build_object(${seed.key}::text, ${after}::jsonb)
               where id = ${id}`.execute(db);
    await sql`
      insert into device_states (device_id, attributes) values (${id}, ${told}::jsonb)
      on conflict (device_id) do update set attributes = device_states.attributes || excluded.attributes`.execute(db);
  };
  for (const [second, first] of await controllersOf(db)) {
    if (first) for (const seed of settings) await set(first, seed);
    if (second) for (const seed of troubled) await set(second, seed);
    if (!first) continue;
    for (const [at, { method, params, daysAgo, state, error = "" }] of commands.entries()) {
      const when = sql`now() - make_interval(days => ${daysAgo}, mins => ${at})`;
      const sent = state === "expired" ? sql`null` : when;
      await sql`
        insert into device_commands (id, tenant_id, device_id, request_id, method, params, state, attempts, timeout_s, expires_at,
                                     created_by, actor_name, created_at, sent_at, delivered_at, finished_at, response, error)
        values (${nextId()}, ${first.tenantId}, ${first.id}, ${at + 1}, ${method}, ${JSON.stringify(params)}::jsonb, ${state},
                ${state === "expired" ? 0 : 1}, 60, ${when} + interval '10 minutes', ${first.accountId}, ${first.actorName}, ${when},
                ${sent}, ${sent}, ${when} + interval '2 seconds',
                ${state === "expired" ? null : JSON.stringify({ success: state === "succeeded" })}::jsonb, ${error})`.execute(
        db,
      );
    }
    await sql`update devices set last_request_id = greatest(last_request_id, ${commands.length}) where id = ${first.id}`.execute(
      db,
    );
  }
}
