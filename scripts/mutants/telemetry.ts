import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/telemetry";
const storage: Tests = { files: [`${folder}/storage.test.ts`] };
const packing: Tests = { files: [`${folder}/packing.test.ts`] };
const ingest: Tests = { files: [`${folder}/ingest.test.ts`] };
const presence: Tests = { files: [`${folder}/presence.test.ts`], names: "in the order of their devices" };
const api: Tests = { files: ["tests/api/telemetry.test.ts"] };

export const telemetryMutants: Mutant[] = [
  ...faultsIn(`${folder}/telemetry.repository.ts`, storage, [
    [
      "telemetry: hours that got rows are not noted",
      "case when held.pending_hours @> excluded.pending_hours then held.pending_hours",
      "case when true then held.pending_hours",
    ],
    [
      "telemetry: the second message of a time is dropped",
      "else merge_telemetry(held.packed, excluded.packed) is distinct from held.packed end",
      "else false end",
    ],
    [
      "telemetry: connections are noted in any order",
      '         order by r.device_id::text collate "C"\n        on conflict (device_id) do update set\n          connected',
      "        on conflict (device_id) do update set\n          connected",
      presence,
    ],
  ]),
  ...faultsIn(`${folder}/telemetry.repository.ts`, ingest, [
    [
      "telemetry: how messages are stored is planned for each batch",
      'name: repeats ? "merge telemetry" : "store telemetry", text',
      'name: "", text',
    ],
  ]),
  ...faultsIn(`${folder}/ingest.service.ts`, ingest, [
    [
      "telemetry: long values without an end",
      "if (total > messageLimits.longValuesPerDevice && total > sumOf(held))",
      "if (total < 0)",
    ],
    ["telemetry: a row that is there fails its batch for ever", "repeatsUntil = now() + repeatsMs;", "throw error;"],
    [
      "telemetry: late short values make room",
      "before === undefined ? !isLong : ts < before.ts",
      "before === undefined ? !isLong : ts < 0",
    ],
  ]),
  ...faultsIn(`${folder}/series.service.ts`, storage, [
    [
      "telemetry: charts take noted hours from the roll-ups",
      "hoursWithin(device?.unrolled ?? [], range)",
      "hoursWithin([], range)",
    ],
  ]),
  ...faultsIn(`${folder}/roll-up.repository.ts`, storage, [
    [
      "telemetry: hours that a killed run took are forgotten",
      "where not isempty(s.rolling_hours) or lower(s.pending_hours) <",
      "where lower(s.pending_hours) <",
    ],
    [
      "telemetry: hours are made anew of what is left after the raw rows were dropped",
      ") * kept.hours,",
      ") * coalesce(null::int4multirange, '{(,)}'),",
    ],
    [
      "telemetry: two runs roll up at once",
      "await sql`select pg_advisory_xact_lock(hashtext('telemetry roll-ups'))`.execute(db);",
      "",
    ],
  ]),
  ...faultsIn(`${folder}/retention.service.ts`, storage, [
    [
      "telemetry: raw days go before they are rolled up",
      "const day = unfinished < aged ? unfinished : aged;",
      "const day = aged > unfinished ? aged : aged;",
    ],
  ]),
  ...faultsIn(`${folder}/ingest.service.ts`, storage, [
    ["telemetry: old messages are taken", "if (rows.some(({ ts }) => ts < oldest))", "if (oldest < 0)"],
  ]),
  ...faultsIn(`${folder}/roll-up.ts`, storage, [
    ["telemetry: days begin at midnight in London", "const shanghaiHours = 8;", "const shanghaiHours = 0;"],
  ]),
  ...faultsIn(`${folder}/packing.ts`, packing, [
    ["telemetry: decimals are rounded", "if (mantissa / power !== value || mantissa === 0) continue;", ""],
  ]),
  ...faultsIn(`${folder}/history.repository.ts`, api, [
    [
      "telemetry: devices of all tenants are read",
      'where d.id = any(${ids}::bigint[]) and ${deviceInReach(scope, "d")}`;',
      "where d.id = any(${ids}::bigint[])`;",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/sheets/csv-writer.ts", api, [
    ["telemetry: a text of a CSV is a formula", "guarded(value.toWellFormed())", "value.toWellFormed()"],
  ]),
  ...faultsIn("apps/server/src/modules/reference/index.ts", api, [
    ["telemetry: a retention can be anything", "if (refusal) throw", "if (refusal && !values) throw"],
  ]),
];
