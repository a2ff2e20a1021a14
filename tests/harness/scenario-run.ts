import {
  type Accept,
  type AlarmChange,
  createAcceptance,
  createEvaluator,
  createSteps,
  type DeviceKindId,
  deviceKinds,
  type EvaluationContext,
  type EvaluationState,
  type Evaluator,
  lateAfterIntervals,
  type ReportedValue,
  type Steps,
  steppedChannels,
} from "@herdwise/device-kinds";
import type { FleetDevice } from "../../apps/simulator/src/fleet.ts";
import type { DeviceEvent } from "../../apps/simulator/src/other-state.ts";
import type { ScenarioRun } from "../../apps/simulator/src/scenarios.ts";
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
} from "../../apps/simulator/src/virtual-device.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Half past eight in the morning in China, in a month in which the weather raises nothing by itself. */
export const beginMs = Date.UTC(2026, 10, 10, 0, 30);

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
export class Run {
  readonly changes: AlarmChange[] = [];
  readonly virtual: VirtualDevice;
  state: DeviceState;
  evaluator: Evaluator;
  #stored: { entries: TelemetryEntry[]; events: DeviceEvent[] } = { entries: [], events: [] };
  readonly #lateAfterMs: number;
  readonly #accept: Accept;
  readonly #steps: Steps;

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
    this.#accept = createAcceptance(deviceKinds[kind]);
    this.#steps = createSteps(steppedChannels(deviceKinds[kind]), new Map());
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
    for (const { ts, values: sent } of entries) {
      const { readings, believed } = this.#steps(ts, this.#accept(sent));
      const { values, rejected } = readings;
      for (const { atMs, key, value } of believed)
        this.#judge(atMs, nowMs, { type: "readings", atMs, values: { [key]: value } });
      const read = values as Record<string, ReportedValue>;
      this.#judge(ts, nowMs, { type: "readings", atMs: ts, values: read, ...(rejected && { rejected }) });
    }
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

export type Past = {
  readonly state: DeviceState;
  readonly evaluation: EvaluationState;
  readonly changes: readonly AlarmChange[];
};
const pasts = new Map<string, Past>();

/** Days of usual running up to the begin, once for all scenarios that need as many. */
export function pastOf(kind: DeviceKindId, learnsDays: number, seed: number): Past {
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
