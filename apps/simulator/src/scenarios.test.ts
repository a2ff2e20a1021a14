import {
  type AlarmChange,
  createEvaluator,
  type DeviceKind,
  type DeviceKindId,
  deviceKindIds,
  deviceKinds,
  type EvaluationContext,
  type EvaluationState,
  type Evaluator,
  lateAfterIntervals,
} from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { volume } from "../../../tests/harness/volume.ts";
import type { FleetDevice } from "./fleet.ts";
import type { DeviceEvent } from "./other-state.ts";
import { type Scenario, type ScenarioRun, scenarios } from "./scenarios.ts";
import {
  type DeviceState,
  effectsOf,
  entryFor,
  fullEntry,
  initialState,
  reported,
  reportTimeBefore,
  stateTime,
  stepDevice,
  type TelemetryEntry,
  type VirtualDevice,
  virtualDevice,
} from "./virtual-device.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Half past eight in the morning in China, in a month in which the weather raises nothing by itself. */
const beginMs = Date.UTC(2026, 10, 10, 0, 30);

const deviceOf = (kind: DeviceKindId): FleetDevice => ({
  token: "token",
  serialNumber: `HW-${kind}`,
  kind,
  firmwareVersion: "1.4.2",
  unit: { id: "u1", pigstyType: "fattening", headCount: 800, ageDays: 110, weightGrams: 60_000, mode: "normal" },
  latitude: 33,
  longitude: 112.5,
});
const context: EvaluationContext = { pigstyType: "fattening", weightKg: 60 };

/** A virtual device and the rules of its kind, minute after minute, as the simulator sends and the server judges. */
class Run {
  readonly changes: AlarmChange[] = [];
  readonly virtual: VirtualDevice;
  state: DeviceState;
  evaluator: Evaluator;
  #stored: { entries: TelemetryEntry[]; events: DeviceEvent[] } = { entries: [], events: [] };
  readonly #lateAfterMs: number;

  constructor(
    kind: DeviceKindId,
    seed: number,
    from: { state: DeviceState; evaluation: EvaluationState } | number,
    runs: readonly ScenarioRun[] = [],
  ) {
    this.virtual = virtualDevice(deviceOf(kind), seed, runs);
    const known = typeof from !== "number";
    this.state = known ? from.state : this.#settled(reportTimeBefore(this.virtual, from));
    this.evaluator = createEvaluator(deviceKinds[kind], known ? { state: from.evaluation } : {});
    this.#lateAfterMs = lateAfterIntervals * deviceKinds[kind].reportIntervalS * 1000;
  }

  /** Temperatures and gases need two hours to find their place. */
  #settled(atMs: number): DeviceState {
    let state = initialState(this.virtual, atMs - 2 * hourMs);
    while (stateTime(state) < atMs) state = reported(stepDevice(this.virtual, state).state);
    return state;
  }

  #judge(atMs: number, nowMs: number, input: Parameters<Evaluator["take"]>[0]): void {
    // As the server does: what comes in time is judged by its own time, what comes late fills the history only.
    const late = nowMs - atMs > this.#lateAfterMs;
    this.changes.push(...this.evaluator.take(input, late ? nowMs : atMs, context));
  }

  #send(entries: readonly TelemetryEntry[], events: readonly DeviceEvent[], nowMs: number): void {
    for (const event of events) this.#judge(event.ts, nowMs, { type: "event", atMs: event.ts, event });
    for (const { ts, values } of entries) this.#judge(ts, nowMs, { type: "readings", atMs: ts, values });
  }

  /** @param everyMin reports each so many minutes; more than one only to learn from the past */
  pass(untilMs: number, everyMin = 1): void {
    while (stateTime(this.state) < untilMs) {
      const step = stepDevice(this.virtual, this.state);
      this.state = step.state;
      const nowMs = stateTime(this.state);
      const { silent, cutOff, clockS = 0 } = effectsOf(this.virtual, nowMs);
      if (!silent) {
        const shiftMs = clockS * 1000;
        for (const event of step.events) this.#stored.events.push({ ...event, ts: event.ts + shiftMs });
        const minute = Math.floor(nowMs / 60_000);
        if (minute % everyMin === 0) {
          const entry = (everyMin === 1 ? entryFor : fullEntry)(this.virtual, nowMs, step.read(), 60);
          this.#stored.entries.push({ ts: nowMs + shiftMs, values: entry.values });
          this.state = reported(this.state);
        }
        if (!cutOff && this.#stored.entries.length > 0) {
          const { entries, events } = this.#stored;
          this.#stored = { entries: [], events: [] };
          this.#send(entries, events, nowMs);
        }
      }
      // The clock of the server goes on as well.
      if (silent || cutOff) this.changes.push(...this.evaluator.take({ type: "due" }, nowMs, context));
    }
  }
}

type Past = {
  readonly state: DeviceState;
  readonly evaluation: EvaluationState;
  readonly changes: readonly AlarmChange[];
};
const pasts = new Map<string, Past>();

/** Days of usual running up to the begin, once for all scenarios that need as many. */
function pastOf(kind: DeviceKindId, learnsDays: number, seed: number): Past {
  const key = `${kind}/${learnsDays}/${seed}`;
  let past = pasts.get(key);
  if (past === undefined) {
    const run = new Run(kind, seed, beginMs - learnsDays * dayMs);
    // Every fifth minute, as the history of a device that was back-filled; then as it is live.
    run.pass(beginMs - 4 * hourMs, 5);
    run.pass(beginMs);
    past = { state: run.state, evaluation: run.evaluator.state(), changes: run.changes };
    pasts.set(key, past);
  }
  return past;
}

const ruleOf = (kind: DeviceKind, id: string) => kind.alarmRules.find((rule) => rule.id === id);
const describeChanges = (changes: readonly AlarmChange[]): string[] =>
  changes.map(({ type, ruleId, atMs, suppressed }) => {
    const hours = ((atMs - beginMs) / hourMs).toFixed(2);
    return `${type} ${ruleId} +${hours} h${suppressed ? " (suppressed)" : ""}`;
  });

/** What a rule's alarm stands under, by the cause graph: the first of those that lead to it and follow from nothing. */
function rootOf(kind: DeviceKind, rule: string, raised: readonly string[]): string | undefined {
  const causesOf = (effect: string): string[] =>
    raised.filter(
      (cause) => cause !== effect && kind.guides?.find((guide) => guide.rule === cause)?.leadsTo?.includes(effect),
    );
  let root: string | undefined;
  for (let [next] = causesOf(rule); next !== undefined && next !== root; [next] = causesOf(next)) root = next;
  return root;
}

const seeds = volume({ short: [1], long: [1, 2, 3, 4] });

describe.each(deviceKindIds.map((id) => [id, deviceKinds[id]] as const))("%s", (id, kind) => {
  const own = scenarios.filter(({ kinds }) => kinds.includes(id));

  it.each(own.map((scenario) => [scenario.name, scenario] as const))(
    "%s raises what it declares, and nothing else",
    (_name, scenario: Scenario) => {
      for (const seed of seeds) {
        const past = pastOf(id, scenario.learnsDays ?? 1, seed);
        expect(describeChanges(past.changes), "before it begins").toEqual([]);
        const endMs = beginMs + scenario.lastsH * hourMs;
        const run = new Run(id, seed, past, [{ name: scenario.name, fromMs: beginMs, untilMs: endMs }]);
        run.pass(endMs + (scenario.clearsH ?? 0.5) * hourMs);
        const said = describeChanges(run.changes).slice(0, 30).join("\n");
        const raised = run.changes.filter(({ type }) => type === "raised");
        const found = raised.map(({ ruleId, severity, suppressed }) =>
          [ruleId, severity, ...(suppressed ? ["suppressed"] : [])].join(" "),
        );
        const declared = scenario.alarms.map(({ rule, severity, suppressed }) =>
          [rule, severity ?? ruleOf(kind, rule)?.severity, ...(suppressed ? ["suppressed"] : [])].join(" "),
        );
        expect([...new Set(found)].sort(), said).toEqual(declared.sort());
        expect(run.evaluator.raised().sort(), `open afterwards\n${said}`).toEqual([...(scenario.stays ?? [])].sort());
        const open = scenario.alarms.filter(({ suppressed }) => !suppressed).map(({ rule }) => rule);
        for (const { rule, under, suppressed } of scenario.alarms) {
          if (!suppressed) expect(rootOf(kind, rule, open), `what ${rule} stands under`).toBe(under);
        }
      }
    },
  );

  it("has at least two scenarios of its own", () => {
    expect(own.filter(({ kinds }) => kinds.length === 1).length).toBeGreaterThanOrEqual(2);
  });
});

it("a value that swings about its limit is one alarm", () => {
  const scenario = scenarios.find(({ name }) => name === "gas-at-limit") as Scenario;
  const endMs = beginMs + scenario.lastsH * hourMs;
  const run = new Run("environment", 1, pastOf("environment", 1, 1), [
    { name: scenario.name, fromMs: beginMs, untilMs: endMs },
  ]);
  run.pass(endMs);
  expect(run.changes.filter(({ ruleId }) => ruleId === "ammonia_high")).toHaveLength(1);
});

/** Rules that no scenario raises, and why. */
const unexercised: Readonly<Record<string, string>> = {
  firmware_mismatch: "needs an assigned firmware, which is the server's",
  overdue: "needs a planned task, which is the server's",
  calibration_due: "needs thirty days without a calibration",
  washing_forgotten: "needs a day and an hour of washing; packages/device-kinds/src/evaluate.test.ts raises it",
};

it("every rule family is raised by a scenario", () => {
  const missing: string[] = [];
  for (const kind of Object.values(deviceKinds)) {
    const raised = new Set(
      scenarios
        .filter(({ kinds }) => kinds.includes(kind.kind))
        .flatMap(({ alarms }) => alarms.map(({ rule }) => rule)),
    );
    const familyOf = (rule: string): string => rule.replace(/_\d_/, "_1_");
    for (const { id } of kind.alarmRules) {
      if (!raised.has(familyOf(id)) && unexercised[id] === undefined) missing.push(`${kind.kind} ${id}`);
    }
  }
  expect(missing).toEqual([]);
});

describe("a quiet run", () => {
  const run = volume({ short: { days: 3, seeds: [5] }, long: { days: 14, seeds: [5, 6, 7, 8, 9] } });
  it.each(deviceKindIds.map((kind) => [kind]))(
    `%s raises nothing in ${run.days} days`,
    (kind) => {
      for (const seed of run.seeds) {
        const quiet = new Run(kind, seed, beginMs - 14 * dayMs);
        // The rest of two weeks is learnt from, as statistical rules need a past.
        quiet.pass(beginMs - run.days * dayMs, 5);
        quiet.pass(beginMs);
        expect(describeChanges(quiet.changes)).toEqual([]);
      }
    },
    120_000,
  );
});
