/**
 * What a call of the server changes in a device other than an environment controller. An order is kept in the device's counters, so
 * that it outlives a restart of the simulator; the model of the kind reads it from there (`other-models.ts`).
 */
import type { DeviceKindId } from "@herdwise/device-kinds";
import type { Effects } from "./effects.ts";
import type { DeviceEvent, OtherState } from "./other-state.ts";
import { seedOf } from "./random.ts";

/** How long what a device does by itself after a call takes, in ms. */
export const lasts = {
  door: 60_000,
  drain: 10 * 60_000,
  refill: 5 * 60_000,
  flushNozzles: 2 * 60_000,
  flushStation: 60_000,
  prime: 60_000,
  cabinet: 60 * 60_000,
  clean: 15 * 60_000,
  spray: 30 * 60_000,
  round: 90 * 60_000,
  calibration: 2 * 60_000,
} as const;

/** Litres of the dosing station that reach their destination in an hour. */
export const stationLitresPerHour = 360;
/** Litres of agent that a scrubber's tank holds. */
const agentTankL = 100;
/** Slots of a bathroom in which one person showers at most. */
export const showerSlotMs = 900_000;

export type Call = {
  readonly state: OtherState;
  readonly given: Readonly<Record<string, unknown>>;
  /** The model's time, which runs ahead of the clock where it is fast. */
  readonly atMs: number;
  readonly effects: Effects;
  readonly serialNumber: string;
  /** Pigs where the device is, as the farm has it. */
  readonly headCount: number;
  /** What the device reported last, by channel. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters that somebody set. */
  readonly settings: OtherState["settings"];
};

type Effect = {
  readonly counters?: Readonly<Record<string, number>>;
  /** Words that later events carry. */
  readonly words?: Readonly<Record<string, string>>;
  readonly events?: readonly (Readonly<Record<string, unknown>> & { readonly type: string; readonly id?: string })[];
  /** Parameters that are different now. */
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, unknown>>;
};

/** @returns what it changes, or why the device does not do it */
type Order = (call: Call) => Effect | string;

const number = (value: unknown): number => Number(value);
const counter = ({ state }: Call, key: string): number => state.counters[key] ?? 0;
/** Whether what an order began is still going on. */
const goesOn = (call: Call, key: string): boolean => counter(call, key) > call.atMs;

const doorOf = (name: unknown): "a" | "b" | undefined => {
  const door = String(name).trim().toLowerCase();
  if (door === "a" || door === "1") return "a";
  return door === "b" || door === "2" ? "b" : undefined;
};

const bathroom: Readonly<Record<string, Order>> = {
  unlock: ({ given, atMs }) => {
    const door = doorOf(given.door);
    return door === undefined
      ? "door: A (dirty side) or B (clean side)"
      : { counters: { [`door_${door}_until`]: atMs + lasts.door }, answer: { door: door.toUpperCase() } };
  },
  sterilise: (call) =>
    call.values.cabinet === "running"
      ? "the cabinet is running"
      : { counters: { cabinet_until: call.atMs + lasts.cabinet } },
  clean: (call) =>
    call.values.occupancy === 1 ? "somebody is inside" : { counters: { clean_until: call.atMs + lasts.clean } },
  shutWater: ({ atMs }) => {
    const slot = Math.floor(atMs / showerSlotMs);
    // Water runs from two minutes after the entry, which is 20 s into the slot.
    return { counters: { shut_slot: slot, shut_s: Math.max(0, Math.round((atMs % showerSlotMs) / 1000) - 140) } };
  },
};

const bungalowDeodorization: Readonly<Record<string, Order>> = {
  setPump: (call) => {
    if (call.given.on === true)
      return { counters: { spray_from: call.atMs, spray_until: call.atMs + lasts.spray, lines_drained: 0 } };
    const began = counter(call, "spray_from");
    const seconds = goesOn(call, "spray_until") ? Math.round((call.atMs - began) / 1000) : 0;
    return {
      counters: { spray_until: 0, spray_stopped_until: call.atMs + lasts.spray },
      ...(seconds > 0 && {
        events: [
          { type: "spray_run", duration_s: seconds, litres: Math.round((260 * seconds) / 360) / 10, trigger: "manual" },
        ],
      }),
    };
  },
  winterDrain: ({ values }) => ({
    counters: { lines_drained: 1, spray_until: 0 },
    events: [{ type: "winter_drain", t: number(values.t_water ?? 0) }],
  }),
};

const cough: Readonly<Record<string, Order>> = {
  resetBaseline: (call) => ({
    counters: { learning_until: call.atMs + number(call.settings?.learning_days ?? 10) * 86_400_000, index: 0 },
    events: [{ type: "baseline_reset" }],
  }),
  requestClip: (call) =>
    call.settings?.clip_upload === true
      ? { answer: { clip: `clip-${call.atMs}`, seconds: number(call.given.seconds) } }
      : "clips are not uploaded: the setting clip_upload is off",
  testMicrophone: ({ effects }) => {
    const works = effects.reports?.mic_ok !== false;
    return { events: [{ type: "microphone_test", result: works ? "ok" : "fault" }], answer: { heard: works } };
  },
};

const deodorization: Readonly<Record<string, Order>> = {
  start: () => ({ counters: { stopped: 0 } }),
  stop: () => ({ counters: { stopped: 1 } }),
  drain: (call) =>
    goesOn(call, "drain_until")
      ? "it is draining"
      : { counters: { drain_until: call.atMs + lasts.drain, refill_until: 0 } },
  refill: (call) =>
    goesOn(call, "drain_until") ? "it is draining" : { counters: { refill_until: call.atMs + lasts.refill } },
  flushNozzles: (call) => ({ counters: { nozzle_until: call.atMs + lasts.flushNozzles } }),
  doseAgent: (call) => {
    const litres = number(call.given.litres);
    const left = counter(call, "agent");
    const percent = (100 * litres) / agentTankL;
    if (percent > left) return `litres: the tank holds ${Math.floor((left * agentTankL) / 100)} L`;
    return {
      counters: { agent: left - percent, ph_shift: Math.max(-1, counter(call, "ph_shift") - 0.02 * litres) },
      events: [{ type: "agent_dose", agent: "酸", litres }],
    };
  },
  calibrate: ({ given }) => ({ answer: { probe: given.probe, slope: 98.2 } }),
};

const disinfect: Readonly<Record<string, Order>> = {
  startFlush: ({ given, atMs }) => ({
    counters: { flush_from: atMs, flush_until: atMs + number(given.minutes) * 60_000 },
  }),
  startShock: (call) =>
    call.headCount > 0
      ? `the unit holds ${call.headCount} pigs: a shock is for an empty unit`
      : {
          counters: {
            shock_from: call.atMs,
            shock_until: call.atMs + number(call.given.minutes) * 60_000,
            shock_residual: number(call.given.residual),
          },
        },
  stopPump: (call) =>
    counter(call, "pump_stopped") === 1
      ? {}
      : { counters: { pump_stopped: 1, shock_until: 0 }, events: [{ type: "pump_stopped", reason: "command" }] },
  resetPump: () => ({ counters: { pump_stopped: 0 } }),
  calibrate: ({ given }) => ({
    events: [{ type: "calibration", probe: String(given.probe), slope: 97.6 }],
    answer: { probe: given.probe, slope: 97.6 },
  }),
};

/** Why the station may not move anything now. */
const held = (call: Call): string | undefined =>
  counter(call, "estop") === 1 || call.effects.stopped ? "emergency stop: reset it on site first" : undefined;

/** The batch that was ordered, as it is told when it ends. */
const batchEvent = (call: Call) => {
  const began = counter(call, "batch_from");
  const target = counter(call, "batch_litres");
  const litres = Math.round((stationLitresPerHour * (call.atMs - began)) / 360_000) / 10;
  return {
    type: "batch",
    recipe: call.state.words?.recipe ?? "",
    dest: call.state.words?.dest ?? "",
    target_l: target,
    actual_l: litres,
    deviation: Math.round((litres / target - 1) * 1000) / 10,
    start: new Date(began).toISOString(),
    end: new Date(call.atMs).toISOString(),
    concentration_deviation: 0,
    result: "aborted",
  };
};

const dosingStation: Readonly<Record<string, Order>> = {
  startBatch: (call) => {
    const { given, atMs, state } = call;
    const refused = held(call);
    if (refused !== undefined) return refused;
    if (call.values.batch) return `batch ${String(call.values.batch)} is running`;
    const litres = number(given.litres);
    const stockL = counter(call, "tank1") * 50;
    if (stockL > 0 && litres > stockL) return `litres: tank 1 holds ${Math.floor(stockL)} L`;
    const seconds = (litres / stationLitresPerHour) * 3600;
    return {
      counters: { batch_from: atMs, batch_until: atMs + seconds * 1000, batch_litres: litres, halted_until: 0 },
      words: { ...state.words, recipe: String(given.recipe), dest: String(given.dest) },
      answer: { batch: `M${atMs}`, minutes: Math.ceil(seconds / 60) },
    };
  },
  stop: (call) => ({
    counters: {
      batch_until: 0,
      // A batch of the schedule does not begin anew in the same hour.
      halted_until: Math.ceil(call.atMs / 3_600_000) * 3_600_000,
      pump_1_hz: 0,
      pump_2_hz: 0,
      valves_open: 0,
    },
    ...(goesOn(call, "batch_until") && { events: [batchEvent(call)] }),
  }),
  setValve: (call) => {
    const refused = held(call);
    if (refused !== undefined) return refused;
    const bit = 1 << (number(call.given.valve) - 1);
    const open = counter(call, "valves_open");
    if (call.given.open === true) return { counters: { valves_open: open | bit } };
    const pumps = counter(call, "pump_1_hz") + counter(call, "pump_2_hz");
    return pumps > 0 && (open & ~bit) === 0
      ? "a pump runs: stop it before its last valve closes"
      : { counters: { valves_open: open & ~bit } };
  },
  setPump: (call) => {
    const refused = held(call);
    if (refused !== undefined) return refused;
    const hz = number(call.given.hz);
    if (hz > 0 && counter(call, "valves_open") === 0) return "all valves are closed: open one before the pump runs";
    return { counters: { [`pump_${number(call.given.pump)}_hz`]: hz } };
  },
  prime: (call) => held(call) ?? { counters: { [`prime_${number(call.given.pump)}_until`]: call.atMs + lasts.prime } },
  flush: (call) => held(call) ?? { counters: { flush_until: call.atMs + lasts.flushStation } },
  calibrate: ({ given }) => ({ changed: { [`k_${number(given.meter)}`]: number(given.k) } }),
  acknowledgeRefill: (call) => {
    const tank = number(call.given.tank);
    const before = counter(call, `tank${tank}`);
    return {
      counters: { [`tank${tank}`]: 96 },
      events: [
        {
          type: "refill",
          tank,
          litres: Math.max(0, Math.round((96 - before) * 50)),
          lot: String(call.values[`tank_${tank}_batch`] ?? ""),
        },
      ],
    };
  },
  emergencyStop: (call) => ({
    counters: { estop: 1, batch_until: 0, pump_1_hz: 0, pump_2_hz: 0, valves_open: 0 },
    events: [{ type: "estop", by: "command" }, ...(goesOn(call, "batch_until") ? [batchEvent(call)] : [])],
  }),
  resetEmergencyStop: ({ effects }) =>
    effects.stopped ? "the button on site is still pressed" : { counters: { estop: 0 } },
};

const needleless: Readonly<Record<string, Order>> = {
  calibrate: () => ({ changed: { dose_factor: 1 } }),
  syncTime: () => ({ answer: { clock_offset: 0 } }),
  pullLog: ({ state, given }) => {
    const from = number(given.from);
    const shots = (state.shots ?? []).filter(({ shot_no }) => number(shot_no) >= from);
    return { events: shots, answer: { shots: shots.length } };
  },
  setRoute: ({ given, state }) => ({ words: { ...state.words, route: String(given.route) } }),
};

const temperature: Readonly<Record<string, Order>> = {
  startRound: (call) => {
    if (call.effects.jammed) return "the rail is jammed";
    if (call.values.state === "round") return "a round is on";
    return { counters: { round_from: call.atMs, rounds_ordered: counter(call, "rounds_ordered") + 1 } };
  },
  stopRound: (call) => (call.values.state === "round" ? { counters: { round_stopped: call.atMs } } : "no round is on"),
  goHome: ({ atMs, effects }) => (effects.jammed ? "the rail is jammed" : { counters: { round_stopped: atMs } }),
  calibrateBlackbody: (call) => ({
    counters: { calibrated: call.atMs },
    changed: { blackbody: number(call.given.reference) },
  }),
  setLamp: ({ given }) => ({ counters: { lamp: given.on === true ? 1 : 0 } }),
};

/** A lorry that is called by its plate: empty on its way to the ramp, with 120 pigs on the way back. */
function calledLorryGrams(plate: string, phase: string): number {
  const emptyKg = 13_400 + (seedOf(plate) % 60) * 20;
  return (phase === "out" ? emptyKg + 14_000 + (seedOf(plate) % 20) * 20 : emptyKg) * 1000;
}

const weighbridge: Readonly<Record<string, Order>> = {
  zero: (call) =>
    call.values.state === "idle"
      ? { counters: { zeroed: call.atMs }, events: [{ type: "zeroed", before_kg: number(call.values.zero_kg) }] }
      : "something is on the platform",
  weigh: (call) => {
    if (call.effects.onPlatformKg !== undefined) return "another vehicle is on the platform";
    const [plate, phase] = [String(call.given.plate).trim(), String(call.given.phase)];
    const { atMs } = call;
    const id = `${call.serialNumber}-C${atMs}`;
    return {
      counters: { tickets: counter(call, "tickets") + 1 },
      words: { ...call.state.words, plate },
      events: [
        {
          type: "weighed",
          id: `weighed-${id}`,
          ticket: id,
          plate,
          phase,
          weight_g: calledLorryGrams(plate, phase),
          zero_kg: number(call.values.zero_kg ?? 0),
          stability: call.effects.restless ? "unstable" : "stable",
          calibrated_until: new Date(
            (Math.floor((atMs + 8 * 3_600_000) / 86_400_000) + number(call.values.cal_days ?? 0) + 1) * 86_400_000 -
              8 * 3_600_000,
          ).toISOString(),
        },
      ],
      answer: { ticket: id, weight_kg: calledLorryGrams(plate, phase) / 1000 },
    };
  },
  setGate: ({ given }) => ({ counters: { gate_open: given.open === true ? 1 : 0 } }),
};

/** Calls that only set one of the device's parameters, with the field that holds its value. */
const settingOf: Readonly<Record<string, { readonly parameter: string; readonly field: string }>> = {
  assignTask: { parameter: "task", field: "task" },
  setDose: { parameter: "dose", field: "dose" },
  setPressure: { parameter: "pressure_level", field: "level" },
  lock: { parameter: "locked", field: "locked" },
  setSensitivity: { parameter: "sensitivity", field: "level" },
  setWaterTemperature: { parameter: "t_set", field: "temperature" },
  setInterlock: { parameter: "interlock", field: "on" },
  setRatio: { parameter: "ratio", field: "ratio" },
};

const orders: Readonly<Partial<Record<DeviceKindId, Readonly<Record<string, Order>>>>> = {
  bathroom,
  "bungalow-deodorization": bungalowDeodorization,
  cough,
  deodorization,
  disinfect,
  "dosing-station": dosingStation,
  needleless,
  temperature,
  weighbridge,
};

export type Carried = {
  readonly state: OtherState;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly events: readonly DeviceEvent[];
  readonly changed: Readonly<Record<string, unknown>>;
};

/**
 * Carries out a call whose fields were checked.
 * @param nowMs by the clock, for what is told
 * @returns a text when the device refuses; undefined when the model does not know the method
 */
export function carryOut(kind: DeviceKindId, method: string, call: Call, nowMs: number): Carried | string | undefined {
  const setting = settingOf[method];
  const order = orders[kind]?.[method];
  const effect = order
    ? order(call)
    : setting && ({ changed: { [setting.parameter]: call.given[setting.field] } } satisfies Effect);
  if (effect === undefined || typeof effect === "string") return effect;
  const { counters, words, events = [], changed = {}, answer = {} }: Effect = effect;
  const { state } = call;
  return {
    state: {
      ...state,
      counters: { ...state.counters, ...counters },
      settings: { ...state.settings, ...changed },
      ...(words && { words }),
    },
    answer: { ...changed, ...answer },
    events: events.map(({ type, id, ...fields }) => ({ ts: nowMs, id: id ?? `${type}-${nowMs}`, ...fields, type })),
    changed,
  };
}
