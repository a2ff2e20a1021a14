import { describe, expect, test } from "vitest";
import { createAcceptance, rejectedText } from "./acceptance.ts";
import type { DeviceKind, ReportedValue } from "./device-kind.ts";
import { type AlarmChange, createEvaluator } from "./evaluate.ts";
import { deviceKinds } from "./generated/device-kinds.ts";

const kinds = Object.values(deviceKinds);
const startMs = Date.UTC(2026, 10, 20, 2);

describe("acceptance", () => {
  const accept = createAcceptance(deviceKinds.environment);

  test.each<[unknown, "type" | "range"]>([
    [-127, "range"],
    ["31,5", "type"],
    ["31.5 ℃", "type"],
    ["NaN", "type"],
    ["", "type"],
    ["ERR", "type"],
    [true, "type"],
    [{ v: 1 }, "type"],
    [[1, 2], "type"],
    [1.2345678901234567e19, "range"],
    [1.7976931348623157e308, "range"],
    [80.1, "range"],
    // Error values of common sensors: 0xFFFF and 0x7FFF, as whole numbers and in tenths.
    [65535, "range"],
    [6553.5, "range"],
    [32767, "range"],
    [3276.7, "range"],
  ])("a house temperature of %j is rejected as %s", (value, reason) => {
    expect(accept({ t_in: value, rh: 60 })).toEqual({
      values: { rh: 60 },
      rejected: { t_in: { reason, text: rejectedText(value) } },
    });
  });

  test.each([
    [31.5, 31.5],
    ["31.5", 31.5],
    [-40, -40],
    [80, 80],
  ])("one of %j is the number %d", (value, read) => {
    expect(accept({ t_in: value })).toEqual({ values: { t_in: read } });
  });

  test("a counter is never negative, null is no reading, and what no kind knows is kept", () => {
    expect(accept({ water: -5, t1: null, note: "温度", extra: 1e20, __proto__: 1 })).toMatchObject({
      values: { note: "温度", extra: 1e20 },
      rejected: { water: { reason: "range", text: "-5" } },
    });
  });

  test("readings that are all good are taken as they came, without a copy", () => {
    const given = { t_in: 21.4, mains: true, mode: "normal", fw: "1.4.2" };
    expect(accept(given).values).toBe(given);
  });

  test("every number channel of every kind has a range, and it leaves the sentinels of its sensors out", () => {
    const unbounded = kinds.flatMap(({ kind, channels }) =>
      channels.filter(({ type, valid }) => type === "number" && valid === undefined).map(({ key }) => `${kind} ${key}`),
    );
    expect(unbounded).toEqual([]);
    // A disconnected DS18B20 reports -127, one that was just switched on 85.
    const warm = kinds.flatMap(({ kind, channels }) =>
      channels
        .filter(
          ({ unit, valid, key }) =>
            unit === "°C" &&
            valid !== undefined &&
            !["cabinet_t", "tank_t"].includes(key) &&
            (valid[0] <= -127 || valid[1] >= 85),
        )
        .map(({ key }) => `${kind} ${key}`),
    );
    expect(warm).toEqual([]);
  });
});

/** A reading of each channel as an ordinary device sends it. */
const ordinary = ({ channels }: DeviceKind): Record<string, ReportedValue> =>
  Object.fromEntries(
    channels.map(({ key, type, valid = [0, 100], normal = valid, words }) => {
      const middle = (Math.max(normal[0], valid[0]) + Math.min(normal[1], valid[1])) / 2;
      return [key, type === "number" ? middle : type === "boolean" ? true : (words?.[0]?.value ?? "x")];
    }),
  );

interface Vital {
  kind: DeviceKind;
  rule: string;
  over: readonly string[];
}
const vitals: Vital[] = kinds.flatMap((kind) =>
  kind.alarmRules.flatMap(({ id, condition }) =>
    condition.type === "detector" && condition.detector === "unknown" ? [{ kind, rule: id, over: condition.over }] : [],
  ),
);

/** Plays ten good reports, and then as many reports as the test asks for with the vital values changed by `spoil`. */
function play(
  { kind, over }: Vital,
  reports: number,
  spoil: (given: Record<string, unknown>, over: readonly string[]) => Record<string, unknown>,
) {
  const accept = createAcceptance(kind);
  const evaluator = createEvaluator(kind);
  const changes: AlarmChange[] = [];
  const stepMs = kind.reportIntervalS * 1000;
  const good = 10;
  for (let at = 0; at < good + reports; at += 1) {
    const given: Record<string, unknown> = { ...ordinary(kind) };
    const read = accept(at < good ? given : spoil(given, over));
    const atMs = startMs + at * stepMs;
    changes.push(
      ...evaluator.take(
        {
          type: "readings",
          atMs,
          values: read.values as Record<string, ReportedValue>,
          ...(read.rejected && { rejected: read.rejected }),
        },
        atMs,
      ),
    );
  }
  // Conditions that ended between two reports are judged by the clock.
  changes.push(...evaluator.take({ type: "due" }, startMs + (good + reports) * stepMs));
  const spoiltMs = startMs + (good - 1) * stepMs;
  return { changes, evaluator, spoiltMs, stepMs };
}
const replaced = (value: unknown) => (given: Record<string, unknown>, over: readonly string[]) => ({
  ...given,
  ...Object.fromEntries(over.map((key) => [key, value])),
});

describe("what keeps animals alive being unknown is one alarm within three intervals", () => {
  test("there are such values, the house temperature among them", () => {
    expect(vitals.map(({ kind, rule }) => `${kind.kind} ${rule}`)).toContain("environment temperature_unknown");
    expect(vitals.length).toBeGreaterThan(5);
    expect(deviceKinds.environment.alarmRules.find(({ id }) => id === "temperature_unknown")?.severity).toBe(
      "CRITICAL",
    );
  });

  const ways = [
    ["a text", replaced("36,5")],
    ["a wrong type", replaced({ v: 1 })],
    ["out of range", replaced(-1e9)],
    [
      "missing while others come",
      (given: Record<string, unknown>, over: readonly string[]) =>
        Object.fromEntries(Object.entries(given).filter(([key]) => !over.includes(key))),
    ],
  ] as const;
  test.each(
    vitals.flatMap((vital) =>
      ways.map(([way, spoil]) => ({ name: `${vital.kind.kind} ${vital.rule}`, way, vital, spoil })),
    ),
  )("$name: $way", ({ vital, spoil }) => {
    const { changes, spoiltMs, stepMs } = play(vital, 25, spoil);
    const raised = changes.filter(({ type }) => type === "raised");
    const mine = raised.filter(({ ruleId }) => ruleId === vital.rule);
    expect(mine).toHaveLength(1);
    expect((mine[0]?.atMs ?? 0) - spoiltMs).toBeLessThanOrEqual(3 * Math.max(stepMs, 60_000) + 1);
    // No alarm about the measured thing, and no second alarm about the same probes.
    const about = raised.filter(
      ({ ruleId, figure }) => ruleId !== vital.rule && vital.over.includes(figure?.key ?? ""),
    );
    expect(about.map(({ ruleId }) => ruleId)).toEqual([]);
    expect(raised.map(({ ruleId }) => ruleId)).not.toContain("offline");
  });

  /** Values that may stay constant for long: switched values, meters, water that nobody draws. */
  const mayStandStill = [
    "disinfect flow_unknown",
    "environment ventilation_unknown",
    "environment mains_unknown",
    "environment water_unknown",
  ];
  const nameOf = ({ kind, rule }: Vital): string => `${kind.kind} ${rule}`;
  test.each(vitals.map((vital) => ({ name: nameOf(vital), vital })))("$name: frozen", ({ name, vital }) => {
    const { kind, over } = vital;
    const evaluator = createEvaluator(kind);
    const changes: AlarmChange[] = [];
    const stepMs = kind.reportIntervalS * 1000;
    const frozenMs = startMs + 2 * 3_600_000;
    for (let atMs = startMs; atMs < frozenMs + 8 * 3_600_000; atMs += stepMs) {
      const values = Object.entries(ordinary(kind)).map(([key, value]) => {
        const moves = typeof value === "number" && !(over.includes(key) && atMs >= frozenMs);
        return [key, moves ? value * (1 + ((atMs / stepMs) % 2) / 100) : value];
      });
      // A rare jump is no movement.
      const isJump = atMs >= frozenMs && (atMs / stepMs) % 30 === 0;
      const accepted = values.filter(([key]) => !isJump || !over.includes(String(key)));
      const jump = { reason: "step" as const, text: "0" };
      const rejected = isJump ? Object.fromEntries(over.map((key) => [key, jump])) : {};
      const input = { type: "readings" as const, atMs, values: Object.fromEntries(accepted), rejected };
      changes.push(...evaluator.take(input, atMs));
    }
    const raised = changes.filter(({ type, atMs }) => type === "raised" && atMs >= frozenMs);
    const about = raised.filter(({ ruleId, figure }) => ruleId === "sensor_stuck" || over.includes(figure?.key ?? ""));
    expect(about.map(({ ruleId }) => ruleId)).toEqual(mayStandStill.includes(name) ? [] : ["sensor_stuck"]);
    expect(raised.map(({ ruleId }) => ruleId)).not.toContain(vital.rule);
    for (const { atMs, figure } of about) {
      expect(over).toContain(figure?.key);
      // Six whole hours without a change.
      expect(atMs - frozenMs).toBeLessThanOrEqual(7 * 3_600_000);
    }
  });

  test("what may rightly stand still is among the vital values", () => {
    expect(vitals.map(nameOf)).toEqual(expect.arrayContaining(mayStandStill));
  });

  test("the alarm says what was sent, and ends with the first reading that can be believed", () => {
    const [vital] = vitals.filter(({ rule }) => rule === "temperature_unknown");
    if (vital === undefined) throw new Error("there is no temperature_unknown");
    const { changes, evaluator, stepMs } = play(vital, 25, replaced("36,5"));
    const raised = changes.find(({ ruleId }) => ruleId === vital.rule);
    expect(raised?.figure).toEqual({ key: "t_in", fields: { reason: "type", text: '"36,5"' } });
    const ended: AlarmChange[] = [];
    for (let at = 40; at < 44; at += 1) {
      const atMs = startMs + at * stepMs;
      ended.push(...evaluator.take({ type: "readings", atMs, values: ordinary(vital.kind) }, atMs));
    }
    expect(ended.filter(({ type }) => type === "cleared").map(({ ruleId }) => ruleId)).toContain(vital.rule);
  });

  test("one broken probe beside good ones is a fault of that probe alone", () => {
    const [vital] = vitals.filter(({ rule }) => rule === "temperature_unknown");
    if (vital === undefined) throw new Error("there is no temperature_unknown");
    const { changes } = play(vital, 25, (given) => ({ ...given, t3: -127 }));
    const raised = changes.filter(({ type, figure }) => type === "raised" && /^t\d|^t_in/.test(figure?.key ?? ""));
    expect(raised.map(({ ruleId, figure }) => [ruleId, figure?.key, figure?.fields])).toEqual([
      ["sensor_range", "t3", { reason: "range", text: "-127" }],
    ]);
  });

  test("a device that falls silent is offline and nothing else, and one without a water meter misses none", () => {
    const kind = deviceKinds.environment;
    const evaluator = createEvaluator(kind);
    const { water: _meter, ...without } = ordinary(kind);
    const changes: AlarmChange[] = [];
    for (let at = 0; at < 10; at += 1) {
      const atMs = startMs + at * 60_000;
      changes.push(...evaluator.take({ type: "readings", atMs, values: without }, atMs));
    }
    changes.push(...evaluator.take({ type: "time" }, startMs + 20 * 60_000));
    expect(changes.filter(({ ruleId }) => ruleId.endsWith("_unknown"))).toEqual([]);
    expect(changes.map(({ ruleId }) => ruleId)).toContain("offline");
  });
});
