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

export const rejectedMutants: Mutant[] = [
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
        find: "valuesOf(row, keys, (key, value) => {",
        replace: 'valuesOf(row, keys.map((key) => key.replace("rejected:", "")), (key, value) => {',
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
        find: "valuesOf(row, keys, (key, value) => {",
        replace: 'valuesOf(row, keys.map((key) => key.replace("rejected:", "")), (key, value) => {',
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
      "valuesOf(row, device.keys, (key, value) => {",
      'valuesOf(row, device.keys.map((key) => key.replace("rejected:", "")), (key, value) => {',
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
