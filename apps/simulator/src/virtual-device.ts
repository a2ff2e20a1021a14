/** One virtual device of any kind without its connection: what it measures, what it reports when, and what commands do to it. */
import {
  type Channel,
  checkCommandFields,
  type DeviceKind,
  deviceKinds,
  gearTable,
  maxGears,
  type ReportedValue,
  type UnitMode,
  unitModes,
} from "@herdwise/device-kinds";
import { type Effects, noEffects } from "./effects.ts";
import {
  afterReport,
  initialUnit,
  type LightingRow,
  readUnit,
  stepUnit,
  type UnitSetup,
  type UnitState,
  unitSetup,
  usualLighting,
} from "./environment-model.ts";
import type { FleetDevice } from "./fleet.ts";
import { carryOut } from "./orders.ts";
import { type OtherSetup, stepOther } from "./other-models.ts";
import type { DeviceEvent, OtherState } from "./other-state.ts";
import { mix, seedOf } from "./random.ts";
import { effectsAt, type ScenarioRun } from "./scenarios.ts";
import { sharedSignals } from "./shared-signals.ts";
import { type Place, type Weather, weatherAt } from "./weather.ts";

/** Simulated step; every report is a whole number of steps after the last. */
export const stepS = 60;
const stepMs = stepS * 1000;

export type VirtualDevice = {
  readonly device: FleetDevice;
  readonly kind: DeviceKind;
  readonly seed: number;
  /** Seed of the weather, the same for the whole fleet. */
  readonly weatherSeed: number;
  readonly place: Place;
  /** Reports fall this many ms after the full minute, so that a fleet does not send all at once. */
  readonly phaseMs: number;
  /** Scenarios that run, ran or will run on it; whoever starts one adds to it. */
  readonly scenarios: ScenarioRun[];
  readonly model:
    | { readonly of: "unit"; readonly setup: UnitSetup }
    | { readonly of: "other"; readonly setup: OtherSetup };
};

/** Saved per device; JSON. */
export type DeviceState =
  | { readonly of: "unit"; readonly unit: UnitState }
  | { readonly of: "other"; readonly other: OtherState };

export type TelemetryEntry = { readonly ts: number; readonly values: Record<string, ReportedValue> };

/** Inner Henan; a farm without coordinates lies there. */
const defaultPlace: Place = { latitude: 33, longitude: 112.5 };

export function virtualDevice(
  device: FleetDevice,
  fleetSeed: number,
  scenarios: readonly ScenarioRun[] = [],
): VirtualDevice {
  const seed = mix(seedOf(device.serialNumber), fleetSeed, 7);
  const place = {
    latitude: device.latitude ?? defaultPlace.latitude,
    longitude: device.longitude ?? defaultPlace.longitude,
  };
  const { unit } = device;
  const model: VirtualDevice["model"] =
    device.kind === "environment"
      ? {
          of: "unit",
          setup: unitSetup({
            seed,
            place,
            pigstyType: unit?.pigstyType ?? "fattening",
            headCount: unit?.headCount ?? 0,
            weightKg: (unit?.weightGrams ?? 60_000) / 1000,
            volumeM3: unit?.volumeLitres === undefined ? undefined : unit.volumeLitres / 1000,
          }),
        }
      : {
          of: "other",
          setup: {
            kind: device.kind,
            seed,
            serialNumber: device.serialNumber,
            pigs: unit && unit.headCount > 0 ? unit.headCount : (device.servedPigs ?? 230),
            pigstyType: unit?.pigstyType ?? "fattening",
          },
        };
  return {
    device,
    kind: deviceKinds[device.kind],
    seed,
    weatherSeed: fleetSeed,
    place,
    phaseMs: mix(seed, 0, 8) % stepMs,
    scenarios: [...scenarios],
    model,
  };
}

/** The last report time of the device at or before a time. */
export const reportTimeBefore = (virtual: VirtualDevice, atMs: number): number =>
  Math.floor((atMs - virtual.phaseMs) / stepMs) * stepMs + virtual.phaseMs;

/** Mean of a day in a hot spell in °C, and its humidity in %. */
const hotDayC = 34;
const hotHumidity = 58;

function weatherOf(virtual: VirtualDevice, atMs: number, effects: Effects = noEffects): Weather {
  const weather = weatherAt(virtual.place, atMs, virtual.weatherSeed);
  const { hotSpell = 0, colder = 0 } = effects;
  if (hotSpell === 0 && colder === 0) return weather;
  const warmer = hotSpell * (hotDayC - weather.dayMeanC) - colder;
  return {
    temperatureC: weather.temperatureC + warmer,
    humidityPercent: weather.humidityPercent + hotSpell * (hotHumidity - weather.humidityPercent),
    dayMeanC: weather.dayMeanC + warmer,
  };
}

/** What a report says of the model's values under a scenario. */
function underEffects(values: Record<string, ReportedValue>, effects: Effects): Record<string, ReportedValue> {
  if (effects.reports) Object.assign(values, effects.reports);
  for (const key of effects.missing ?? []) delete values[key];
  return values;
}

/** What a controller tells when the mains, its fans or its door change. */
function eventsBetween(before: Effects, after: Effects, atMs: number): DeviceEvent[] {
  const events: DeviceEvent[] = [];
  const tell = (type: string, fields: Record<string, unknown> = {}): void => {
    events.push({ ts: atMs, type, id: `${type}-${atMs}`, ...fields });
  };
  if (after.mainsLost && !before.mainsLost) tell("power_fail");
  if (before.mainsLost && !after.mainsLost) tell("power_restore");
  if (after.fansTripped && !before.fansTripped) tell("fan_trip", { fan: 1, current_a: 11.4 });
  if (after.doorOpen && !before.doorOpen) tell("door_open", { door: "1" });
  return events;
}

/** What the scenarios of a device change at a time. */
export const effectsOf = (virtual: VirtualDevice, atMs: number): Effects =>
  virtual.scenarios.length === 0 ? noEffects : effectsAt(virtual.scenarios, atMs);

/** The state of a device at a report time, before anything is known of it. */
export function initialState(virtual: VirtualDevice, atMs: number): DeviceState {
  const { model, device } = virtual;
  if (model.of === "other") return { of: "other", other: { atMs, counters: {} } };
  return {
    of: "unit",
    unit: initialUnit(model.setup, weatherOf(virtual, atMs), atMs, {
      mode: device.unit?.mode ?? "normal",
      pigs: device.unit?.headCount ?? 0,
    }),
  };
}

export const stateTime = (state: DeviceState): number => (state.of === "unit" ? state.unit.atMs : state.other.atMs);

export type Step = {
  readonly state: DeviceState;
  /** Values at the end of the step, unrounded; a function, because most steps of a fast-forward are not reported. */
  readonly read: () => Record<string, ReportedValue>;
  readonly events: readonly DeviceEvent[];
};

const noEvents: readonly DeviceEvent[] = [];

/** One step of 60 s. Pure. */
export function stepDevice(virtual: VirtualDevice, state: DeviceState): Step {
  const { model } = virtual;
  const before = effectsOf(virtual, stateTime(state));
  const effects = effectsOf(virtual, stateTime(state) + stepMs);
  const weather = weatherOf(virtual, stateTime(state), effects);
  if (model.of === "unit" && state.of === "unit") {
    const unit = stepUnit(model.setup, state.unit, stepS, weather, effects);
    const told = before === effects ? noEvents : eventsBetween(before, effects, unit.atMs);
    const events =
      unit.gear === state.unit.gear
        ? told
        : [
            ...told,
            {
              ts: unit.atMs,
              type: "gear_change",
              id: `gear-${unit.atMs}`,
              from: state.unit.gear,
              to: unit.gear,
              t_in: Math.round(unit.temperatureC * 10) / 10,
              reason: unit.manualGear === null ? (unit.mode === "normal" ? "temperature" : unit.mode) : "manual",
            },
          ];
    const read = () => underEffects(readUnit(model.setup, unit, weather, effects), effects);
    return { state: { of: "unit", unit }, read, events };
  }
  if (model.of === "other" && state.of === "other") {
    const step = stepOther(model.setup, state.other, stepS, weather, effects);
    const read = () => underEffects({ ...step.values }, effects);
    return { state: { of: "other", other: step.state }, read, events: step.events };
  }
  throw new Error(`The saved state of ${virtual.device.serialNumber} belongs to another kind`);
}

/** To be called after each report: what counts "since the last report" starts anew. */
export const reported = (state: DeviceState): DeviceState =>
  state.of === "unit" ? { of: "unit", unit: afterReport(state.unit) } : state;

const scales = [1, 10, 100, 1000];

const rounded = (channel: Channel, value: ReportedValue): ReportedValue => {
  if (typeof value !== "number") return value;
  const scale = scales[channel.decimals] ?? 1;
  return Math.round(value * scale) / scale;
};

/** Counts of their own interval: one that is left out is lost, and the next one would stand for it. */
const countedKeys: ReadonlySet<string> = new Set(["coughs"]);

/** Whether a channel is part of the report at a time: slow ones are only in it when their own interval has passed. */
function isDue(virtual: VirtualDevice, channel: Channel, index: number, spacingS: number): boolean {
  const every = Math.max(1, Math.round(channel.intervalS / virtual.kind.reportIntervalS));
  // In old back-fill slow channels are thinned in the same measure as the others, but not below an hour.
  const stride =
    spacingS > stepS
      ? countedKeys.has(channel.key)
        ? Math.max(1, Math.round(channel.intervalS / spacingS))
        : Math.min(every, 12)
      : every;
  return stride === 1 || index % stride === virtual.seed % stride;
}

/**
 * The entry for a report.
 * @param spacingS seconds between reports, which is longer in old back-fill
 */
export function entryFor(
  virtual: VirtualDevice,
  atMs: number,
  raw: Record<string, ReportedValue>,
  spacingS: number,
  pending = 0,
): TelemetryEntry {
  const shared = sharedSignals(virtual.seed, atMs, virtual.device.firmwareVersion, pending);
  const index = Math.floor(atMs / (spacingS * 1000));
  const values: Record<string, ReportedValue> = {};
  for (const channel of virtual.kind.channels) {
    const value = raw[channel.key] ?? shared[channel.key];
    if (value === undefined || !isDue(virtual, channel, index, spacingS)) continue;
    values[channel.key] = rounded(channel, value);
  }
  return { ts: atMs, values };
}

/** By kind the first value of each alarm that a value is unknown; told in each report, or the server takes it for missing. */
const watchedByKind = new WeakMap<DeviceKind, ReadonlySet<string>>();
function watchedKeys(kind: DeviceKind): ReadonlySet<string> {
  let watched = watchedByKind.get(kind);
  if (watched === undefined) {
    watched = new Set(
      kind.alarmRules.flatMap(({ condition }) =>
        condition.type === "detector" && condition.detector === "unknown" ? condition.over.slice(0, 1) : [],
      ),
    );
    watchedByKind.set(kind, watched);
  }
  return watched;
}

/**
 * The entry for a report by exception, as JSON: only what changed since `last`, which it brings up to date (one place per
 * channel), with the watched values; everything that is due when `heartbeat` is set. Written straight to text, as the back-fill does it by the hundred
 * thousand.
 */
export function changesAsJson(
  virtual: VirtualDevice,
  atMs: number,
  raw: Record<string, ReportedValue>,
  spacingS: number,
  last: (ReportedValue | undefined)[],
  heartbeat: boolean,
): string | undefined {
  const shared = sharedSignals(virtual.seed, atMs, virtual.device.firmwareVersion, 0);
  const index = Math.floor(atMs / (spacingS * 1000));
  const watched = watchedKeys(virtual.kind);
  let text = "";
  let place = -1;
  for (const channel of virtual.kind.channels) {
    place += 1;
    const value = raw[channel.key] ?? shared[channel.key];
    if (value === undefined || !isDue(virtual, channel, index, spacingS)) continue;
    const shown = rounded(channel, value);
    if (!heartbeat && last[place] === shown && !watched.has(channel.key)) continue;
    last[place] = shown;
    text += `${text === "" ? "" : ","}"${channel.key}":${typeof shown === "string" ? JSON.stringify(shown) : shown}`;
  }
  return text === "" ? undefined : `{"ts":${atMs},"values":{${text}}}`;
}

/** All channels at once, for the first report after a start. */
export function fullEntry(
  virtual: VirtualDevice,
  atMs: number,
  raw: Record<string, ReportedValue>,
  pending = 0,
): TelemetryEntry {
  const shared = sharedSignals(virtual.seed, atMs, virtual.device.firmwareVersion, pending);
  const values: Record<string, ReportedValue> = {};
  for (const channel of virtual.kind.channels) {
    const value = raw[channel.key] ?? shared[channel.key];
    if (value !== undefined) values[channel.key] = rounded(channel, value);
  }
  return { ts: atMs, values };
}

/** Current values without advancing time. */
export function readNow(virtual: VirtualDevice, state: DeviceState): Record<string, ReportedValue> {
  const { model } = virtual;
  const atMs = stateTime(state);
  const effects = effectsOf(virtual, atMs);
  const weather = weatherOf(virtual, atMs, effects);
  if (model.of === "unit" && state.of === "unit")
    return underEffects(readUnit(model.setup, state.unit, weather, effects), effects);
  if (model.of === "other" && state.of === "other")
    return underEffects({ ...stepOther(model.setup, state.other, 0, weather, effects).values }, effects);
  throw new Error(`The saved state of ${virtual.device.serialNumber} belongs to another kind`);
}

/** Channels that differ between two readings of one moment, rounded as reports are. */
export function changesBetween(
  virtual: VirtualDevice,
  before: Readonly<Record<string, ReportedValue>>,
  after: Readonly<Record<string, ReportedValue>>,
): Record<string, ReportedValue> {
  const changes: Record<string, ReportedValue> = {};
  for (const channel of virtual.kind.channels) {
    const [was, is] = [before[channel.key], after[channel.key]];
    if (is !== undefined && is !== was) changes[channel.key] = rounded(channel, is);
  }
  return changes;
}

/** When a controller that was restarted measures and reports again, ms since 1970. */
export const bootedAt = (state: DeviceState): number => (state.of === "unit" ? (state.unit.bootMs ?? 0) : 0);

export type CommandOutcome = {
  readonly state: DeviceState;
  /** What goes back to the server. */
  readonly result: Record<string, unknown>;
  readonly events: readonly DeviceEvent[];
  /** Parameters that are different now, for the client attributes. */
  readonly changed: Readonly<Record<string, unknown>>;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (state: DeviceState, error: string): CommandOutcome => ({
  state,
  result: { success: false, error },
  events: [],
  changed: {},
});

const accept = (unit: UnitState, changed: Record<string, unknown>, events: readonly DeviceEvent[]): CommandOutcome => ({
  state: { of: "unit", unit },
  result: { success: true, ...changed },
  events,
  changed,
});

const isMode = (value: unknown): value is UnitMode => unitModes.some((mode) => mode === value);

function changeMode(unit: UnitState, mode: UnitMode, nowMs: number, by: string): CommandOutcome {
  const events =
    mode === unit.mode ? [] : [{ ts: nowMs, type: "mode_change", id: `mode-${nowMs}`, from: unit.mode, to: mode, by }];
  // A change of mode ends what was switched by hand; the controller starts from its own rules.
  return accept({ ...unit, mode, manualGear: null, fansOff: 0, fansOn: 0 }, { mode }, events);
}

/** The unit with its fans while it is washed as a call or settings say it. */
function withWashing(unit: UnitState, fans: unknown, gear: unknown): UnitState {
  return {
    ...unit,
    ...(typeof gear === "number" && { washGear: Math.round(gear) }),
    ...(fans !== undefined && { washByHand: fans === "manual" }),
  };
}

function changeTarget(unit: UnitState, targetC: number, nowMs: number): CommandOutcome {
  const events =
    targetC === unit.targetC
      ? []
      : [
          {
            ts: nowMs,
            type: "param_applied",
            id: `t_target-${nowMs}`,
            key: "t_target",
            old: String(unit.targetC),
            new: String(targetC),
          },
        ];
  return accept({ ...unit, targetC }, { t_target: targetC }, events);
}

/** Without a report for so long after a restart, in ms. */
const restartMs = 60_000;

/** Light by hand lasts so long; then the schedule has it again. */
const lightByHandMs = 4 * 3_600_000;

/** Carries out a call of the server: every one that the kind declares does what it says, or is refused with the reason. */
export function handleCommand(
  virtual: VirtualDevice,
  state: DeviceState,
  method: string,
  params: unknown,
  nowMs: number,
): CommandOutcome {
  const declared = virtual.kind.commands.find((command) => command.method === method);
  if (!declared) return refuse(state, `Unknown method: ${method}`);
  const problem = checkCommandFields(declared.fields, params)[0];
  if (problem) return refuse(state, `${problem.path === "" ? method : problem.path}: ${problem.en}`);
  const given = isRecord(params) ? params : {};
  if (state.of === "other") {
    const { other } = state;
    const carried = carryOut(
      virtual.device.kind,
      method,
      {
        state: other,
        given,
        atMs: other.atMs,
        effects: effectsOf(virtual, other.atMs),
        serialNumber: virtual.device.serialNumber,
        headCount: virtual.device.unit?.headCount ?? 0,
        values: readNow(virtual, state),
        settings: { ...initialParameters(virtual, state), ...other.settings },
      },
      nowMs,
    );
    if (carried === undefined) return refuse(state, `Unknown method: ${method}`);
    if (typeof carried === "string") return refuse(state, `${method}: ${carried}`);
    return {
      state: { of: "other", other: carried.state },
      result: { success: true, ...carried.answer },
      events: carried.events,
      changed: carried.changed,
    };
  }
  const { unit } = state;
  switch (method) {
    case "setMode":
      return isMode(given.mode)
        ? changeMode(withWashing(unit, given.washFan, given.washGear), given.mode, nowMs, "rpc")
        : refuse(state, "mode: unknown");
    case "setTargetTemperature":
      return changeTarget(unit, Number(given.temperature), nowMs);
    case "setGear": {
      const gear = Math.round(Number(given.gear));
      if (gear < 0 || gear > maxGears) return refuse(state, "gear: out of range");
      const minutes = typeof given.minutes === "number" ? given.minutes : 60;
      const next = {
        ...unit,
        manualGear: gear,
        manualUntilMs: unit.atMs + minutes * 60_000,
        gear,
        gearSinceMs: unit.atMs,
      };
      return accept(next, { gear, minutes }, [
        { ts: nowMs, type: "manual_override_start", id: `manual-${nowMs}`, gear },
      ]);
    }
    case "resumeAutomatic":
      return accept(
        { ...unit, manualGear: null, fansOff: 0, fansOn: 0 },
        { automatic: true },
        unit.manualGear === null ? [] : [{ ts: nowMs, type: "manual_override_end", id: `automatic-${nowMs}` }],
      );
    case "setFan": {
      const bit = 1 << (Math.round(Number(given.fan)) - 1);
      const on = given.on === true;
      const next = {
        ...unit,
        fansOn: on ? (unit.fansOn ?? 0) | bit : (unit.fansOn ?? 0) & ~bit,
        fansOff: on ? (unit.fansOff ?? 0) & ~bit : (unit.fansOff ?? 0) | bit,
        ranFans: on ? unit.ranFans | bit : unit.ranFans & ~bit,
      };
      return { ...accept(next, {}, []), result: { success: true, fan: given.fan, on } };
    }
    case "setLight":
      return {
        ...accept({ ...unit, light: given.on === true, lightUntilMs: unit.atMs + lightByHandMs }, {}, []),
        result: { success: true, on: given.on === true },
      };
    case "testAlarm":
      return { ...accept(unit, {}, []), result: { success: true, seconds: 10 } };
    case "restart":
      return { ...accept({ ...unit, bootMs: unit.atMs + restartMs }, {}, []), result: { success: true } };
    case "setHeadCount":
      return accept({ ...unit, pigs: Math.round(Number(given.pigs)) }, { pigs: Math.round(Number(given.pigs)) }, []);
    default:
      return refuse(state, `Unknown method: ${method}`);
  }
}

/** Takes over desired parameters; those without a place in the physics are kept by the caller and reported back as they are. */
export function applyAttributes(
  virtual: VirtualDevice,
  state: DeviceState,
  attributes: Readonly<Record<string, unknown>>,
  nowMs: number,
): CommandOutcome {
  let current = state;
  const changed: Record<string, unknown> = {};
  const events: DeviceEvent[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    const parameter = virtual.kind.parameters.find((candidate) => candidate.key === key);
    if (!parameter || (parameter.type === "structure" && parameter.validate(value).length > 0)) continue;
    if (parameter.type === "number") {
      const [low, high] = parameter.range;
      if (typeof value !== "number" || value < low || value > high) continue;
    }
    if (current.of === "unit" && (key === "mode" || key === "t_target")) {
      const outcome =
        key === "mode" && isMode(value)
          ? changeMode(current.unit, value, nowMs, "attribute")
          : key === "t_target" && typeof value === "number"
            ? changeTarget(current.unit, value, nowMs)
            : undefined;
      if (!outcome) continue;
      current = outcome.state;
      events.push(...outcome.events);
    }
    changed[key] = value;
  }
  if (current.of === "other") {
    current = { of: "other", other: { ...current.other, settings: { ...current.other.settings, ...changed } } };
  } else {
    const unit = withWashing(current.unit, changed.wash_fan, changed.wash_gear);
    // Its declaration's own check has passed.
    const lighting = changed.lighting as readonly LightingRow[] | undefined;
    current = { of: "unit", unit: lighting === undefined ? unit : { ...unit, lighting } };
  }
  return { state: current, result: { success: true }, events, changed };
}

/** The parameters a device runs with until somebody sets others: those of its kind, and those of its model. */
export function initialParameters(
  { kind, model }: Pick<VirtualDevice, "kind" | "model">,
  state: DeviceState,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(kind.parameters.map((parameter) => [parameter.key, parameter.default])),
    ...(state.of === "unit" && { fan_table: gearTable(state.unit.targetC) }),
    ...(state.of === "unit" && model.of === "unit" && { lighting: state.unit.lighting ?? usualLighting(model.setup) }),
    ...modelParameters(state),
  };
}

/** The parameters that live in the model itself. */
export const modelParameters = (state: DeviceState): Record<string, unknown> =>
  state.of === "unit" ? { mode: state.unit.mode, t_target: state.unit.targetC } : { ...state.other.settings };

/** A unit from a cold start, one reading a minute; for tests and studies. Weather of the unit's own place. */
export function simulateEnvironment(
  setup: UnitSetup,
  pigs: number,
  fromMs: number,
  toMs: number,
  weatherSeed: number,
): TelemetryEntry[] {
  const readings: TelemetryEntry[] = [];
  let weather = weatherAt(setup.place, fromMs, weatherSeed);
  let state = initialUnit(setup, weather, fromMs, { mode: "normal", pigs });
  while (state.atMs < toMs) {
    weather = weatherAt(setup.place, state.atMs, weatherSeed);
    state = stepUnit(setup, state, stepS, weather);
    readings.push({ ts: state.atMs, values: readUnit(setup, state, weather) });
    state = afterReport(state);
  }
  return readings;
}
