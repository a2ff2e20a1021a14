/** Each lets a rejected reading into one of those that may look at accepted ones alone. */
import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const telemetry = "apps/server/src/modules/telemetry";
const kinds = "packages/device-kinds/src";
const mixed = (names: string): Tests => ({ files: ["tests/api/rejected-readings.test.ts"], names });
const newest = mixed("newest values");
const charts = mixed("charts");
const figures = mixed("report");
const jumps: Tests = { files: [`${telemetry}/ingest.test.ts`], names: "jumps" };
const acceptance: Tests = { files: [`${kinds}/acceptance.test.ts`] };
const steps: Tests = { files: [`${kinds}/steps.test.ts`] };
const uplink: Tests = { files: [`${telemetry}/uplink.test.ts`], names: "judged by the kind" };

/** Rejected readings as values, as those who plant them write it. */
const asValues = "Object.fromEntries(Object.entries(rejected ?? {}).map(([key, { text }]) => [key, Number(text)]))";

const repair = (names: string): Tests => ({ files: [`${telemetry}/repair.test.ts`], names });

export const rejectedMutants: Mutant[] = [
  ...faultsIn(`${telemetry}/repair.service.ts`, repair("become evidence"), [
    [
      "rejected: the repair leaves the value beside its evidence",
      "const remaining = ([key]: readonly [string, unknown]): boolean => !Object.hasOwn(untrue, key);",
      "const remaining = ([key]: readonly [string, unknown]): boolean => key.length > 0;",
    ],
    [
      "rejected: the repair keeps the roll-up of an hour without any other value",
      "await inside.dropHours(device.id, wanted, over);",
      "",
    ],
    [
      "rejected: the repair keeps the roll-up of the day",
      "await rollUps.writeDays(",
      "if (day < 0) await rollUps.writeDays(",
    ],
    ["rejected: the repair counts nothing", "await inside.addRejected(id, countsOf(changed));", ""],
    [
      "rejected: the repair marks no day",
      "repaired.days += await repair.markDays(id, ranges);",
      "",
      repair("whose raw rows are gone"),
    ],
    [
      "rejected: the repair leaves the newest values",
      "Object.hasOwn(rejected, key) ? [{ key, ts }] : []",
      "Object.hasOwn(rejected, key) && ts < 0 ? [{ key, ts }] : []",
      repair("newest value"),
    ],
    [
      "rejected: the repair does not stop when its time is over",
      "if (isOver()) return false;",
      "",
      repair("whose time is over"),
    ],
    [
      "rejected: the repair forgets a day that it was killed in",
      "repaired.rows += await repairDay({ id, keys }, accept, ranges, [at, end]);\n        await repair.noteProgress(afterDevice, end);",
      "await repair.noteProgress(afterDevice, end);\n        repaired.rows += await repairDay({ id, keys }, accept, ranges, [at, end]);",
      repair("is killed"),
    ],
    [
      "rejected: the repair rolls up the hour that runs",
      "hours.filter((hour) => (hour + 1) * hourMs <= now());",
      "hours.filter((hour) => hour * hourMs <= now());",
      repair("hours that run"),
    ],
  ]),
  ...faultsIn(`${telemetry}/series.service.ts`, repair("whose raw rows are gone"), [
    ["rejected: an answer takes a day that is marked", "days.size === 0 ? all", "days.size < 99 ? all"],
  ]),
  ...faultsIn("apps/server/src/modules/analytics/analytics.service.ts", mixed("a day that is marked"), [
    [
      "rejected: the analysis does not tell of days that are not reliable",
      "        if (days) unreliable.add(key);",
      "        if (days) unreliable.delete(key);",
    ],
  ]),
  ...faultsIn(
    "apps/web/app/shared/chart/time-points.ts",
    { files: ["apps/web/app/shared/chart/time-points.test.ts"], names: "rejected" },
    [
      ["rejected: an axis follows what cannot be measured", "points: points.filter(isDrawn)", "points"],
      [
        "rejected: a line goes through",
        ".filter(({ fromMs, toMs }) => !points",
        ".filter(({ fromMs, toMs }) => toMs < fromMs && !points",
      ],
      [
        "rejected: the last value holds beyond those that came since",
        "rows.push([doubted ? Math.min(doubted[0], heardMs) : heardMs, last.value]);",
        "rows.push([doubted ? heardMs : heardMs, last.value]);",
      ],
    ],
  ),
  ...faultsIn(`${telemetry}/roll-up.ts`, mixed("count what was rejected"), [
    [
      "rejected: what was believed later is counted as rejected",
      "for (const key of rejected) if (!accepted.has(key)) take(",
      "for (const key of rejected) if (accepted.size >= 0) take(",
      { files: [`${telemetry}/roll-up.test.ts`] },
    ],
    [
      "rejected: roll-ups do not count the rejected",
      "if (hasRejected) rejectedOf(",
      "if (hasRejected && keys.length === 0) rejectedOf(",
    ],
  ]),
  ...faultsIn(`${telemetry}/ingest.service.ts`, newest, [
    [
      "rejected: the newest values take one",
      "const { at, values } = rows[i] as StoredTelemetry;",
      `const { at, rejected, ...row } = rows[i] as StoredTelemetry;\n    const values = { ...${asValues}, ...row.values };`,
    ],
  ]),
  ...faultsIn(`${telemetry}/index.ts`, newest, [
    [
      "rejected: live pages are told one",
      "stored.map(({ deviceId, readings }) => ({ deviceId, readings })),",
      `stored.map(({ deviceId, readings, rows }) => ({
          deviceId,
          readings: {
            ...Object.fromEntries(
              rows.flatMap(({ at, rejected }) =>
                Object.entries(rejected ?? {}).map(([key, { text }]) => [key, { value: text, ts: at / 1000 }]),
              ),
            ),
            ...readings,
          },
        })),`,
    ],
  ]),
  {
    name: "rejected: roll-ups count one",
    edits: [
      {
        file: `${telemetry}/roll-up.ts`,
        find: "keys,\n        (key, value) => {",
        replace: 'keys.map((key) => key.replace("rejected:", "")),\n        (key, value) => {',
      },
      {
        file: `${telemetry}/roll-up.ts`,
        find: 'if (typeof value === "boolean") return Number(value);',
        replace: 'if (typeof value === "object") return Number((value as { text: string }).text);',
      },
    ],
    tests: charts,
  },
  {
    name: "rejected: the report and the analysis take one",
    edits: [
      {
        file: `${telemetry}/roll-up.ts`,
        find: "keys,\n        (key, value) => {",
        replace: 'keys.map((key) => key.replace("rejected:", "")),\n        (key, value) => {',
      },
      {
        file: `${telemetry}/roll-up.ts`,
        find: 'if (typeof value === "boolean") return Number(value);',
        replace:
          'if (typeof value === "boolean") return Number(value);\n  if (typeof value === "object") return Number((value as { text: string }).text) || 0;',
      },
    ],
    tests: figures,
  },
  ...faultsIn(`${telemetry}/series.service.ts`, charts, [
    [
      "rejected: charts and comparisons show one",
      "device.keys,\n          (key, value) => {",
      'device.keys.map((key) => key.replace("rejected:", "")),\n          (key, value) => {',
    ],
  ]),
  ...faultsIn(`${telemetry}/export.service.ts`, figures, [
    [
      "rejected: the export has one among the values",
      "if (wanted.has(key)) rejects.push(",
      "if (wanted.has(key)) cells.push([keyColumn(key), text]);\n                if (wanted.has(key)) rejects.push(",
    ],
  ]),
  ...faultsIn(`${telemetry}/recent.repository.ts`, jumps, [
    [
      "rejected: who takes a device up reads one as a value",
      "(key, reading) => evidence.push([key, reading]),",
      "(key, reading) => {\n          values[key] = Number(reading.text);\n        },",
    ],
  ]),
  ...faultsIn(`${telemetry}/uplink.service.ts`, uplink, [
    [
      "rejected: what a gateway sends is not judged",
      "store(device, telemetryRows(content, now(), acceptanceOf(device.kind)))",
      "store(device, telemetryRows(content, now()))",
    ],
  ]),
  ...faultsIn(`${kinds}/evaluate.ts`, mixed("the alarms"), [
    [
      "rejected: rules compare one",
      "history.rejects[key] = { atMs, reason, text };",
      "history.rejects[key] = history.values[key] = { atMs, reason, text, value: Number(text) };",
    ],
    [
      "rejected: sliding windows take one",
      "const { reason, text } = rejected[key] as RejectedReading;",
      "const { reason, text } = rejected[key] as RejectedReading;\n      addSample(history, key, atMs, Number(text), sampledMs.get(key) ?? 0);",
    ],
    [
      "rejected: detectors count one in the hours",
      "function noteRejected(rejected: RejectedReadings | undefined, atMs: number): void {",
      "function noteRejected(rejected: RejectedReadings | undefined, atMs: number): void {\n    for (const key in rejected) addToHours(history, key, atMs, Number(rejected[key]?.text));",
      acceptance,
    ],
  ]),
  ...faultsIn(`${kinds}/acceptance.ts`, acceptance, [
    [
      "rejected: what is out of range is a value",
      "return value >= low && value <= high ? { value } : refusedRange;",
      "return value >= low && value <= high ? { value } : { value: value };",
    ],
    [
      "rejected: a word is a truth value",
      'return (value) => (typeof value === "boolean" ? { value } : refusedType);',
      "return (value) => ({ value: Boolean(value) });",
    ],
  ]),
  ...faultsIn(`${kinds}/steps.ts`, steps, [
    [
      "rejected: a jump is a value at once",
      'if (typeof value !== "number") continue;',
      'if (typeof value !== "boolean") continue;',
    ],
    ["rejected: two in a row make a jump true", "const believedInARow = 3;", "const believedInARow = 2;"],
    [
      "rejected: nonsense for long makes a jump likely",
      "const sinceMs = base && readings[at - 1]?.atMs;",
      "const sinceMs = base?.atMs;",
    ],
  ]),
  ...faultsIn(`${telemetry}/ingest.service.ts`, jumps, [
    [
      "rejected: a jump that was true stays rejected",
      "if (believed.parts.length > 0) await repository.store(believed.parts, believed.changes, true);",
      "",
    ],
    [
      "rejected: the newest accepted value is forgotten at a restart",
      "memory.steps = createSteps(channels, numbers)",
      "memory.steps = createSteps(channels, new Map())",
    ],
  ]),
];
