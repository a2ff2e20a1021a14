/**
 * One pigsty unit with its climate controller: heat, ammonia, carbon dioxide and moisture balances of a well-mixed room, and
 * the gear control of the device kind. All formulas of devices.md 2.1, "Simulator physics" [A] unless said otherwise.
 */
import {
  ammoniaMgPerPpm,
  climateTarget,
  coolingBelowHumidity,
  coolingFromC,
  drivenCurrentShare,
  type FanTableRow,
  fanCount,
  fullFans,
  gearDwellS,
  gearFor,
  gearForVentilation,
  gearTable,
  minimumVentilation,
  type PigstyType,
  type ReportedValue,
  ratedFanCurrentA,
  ratedFanRpm,
  seasonFor,
  targetTemperature,
  type UnitMode,
  variableFanCount,
} from "@herdwise/device-kinds";
import { type Effects, noEffects } from "./effects.ts";
import { drift, normal, uniform } from "./random.ts";
import { clockHour, type Place, seasonalMean, type Weather } from "./weather.ts";

/** What does not change while the unit runs. */
export type UnitSetup = {
  /** Seed of this device; all its noise comes from it. */
  readonly seed: number;
  readonly place: Place;
  readonly pigstyType: PigstyType;
  /** Mean live weight in kg. */
  readonly weightKg: number;
  /** Air in the unit in m³. */
  readonly volumeM3: number;
  /** Air of one fan at full speed in m³/h. */
  readonly fanM3h: number;
  /** Heating power in W. */
  readonly heaterW: number;
  /** Loss through walls and roof in W/K. */
  readonly lossWK: number;
  /** Heat capacity of air, floor and walls near the surface in J/K. */
  readonly capacityJK: number;
  /** Own factor of this unit for what its pit and pigs give off, about 0.9–1.1. */
  readonly vigour: number;
};

/** What changes. Plain numbers, so that it can be saved as JSON. */
export type UnitState = {
  readonly atMs: number;
  readonly mode: UnitMode;
  readonly pigs: number;
  readonly targetC: number;
  /** °C */
  readonly temperatureC: number;
  /** kg water per kg dry air */
  readonly moisture: number;
  /** mg/m³ */
  readonly ammonia: number;
  /** ppm */
  readonly carbonDioxide: number;
  readonly gear: number;
  readonly gearSinceMs: number;
  /** Gear by hand, and until when (epoch ms); null runs by temperature. */
  readonly manualGear: number | null;
  readonly manualUntilMs: number;
  /** Bits of the fans that were switched by hand, on and off; bit 0 is fan 1. */
  readonly fansOn?: number;
  readonly fansOff?: number;
  /** While washing: whether the fans run in a gear by hand or by the temperature outside, and the gear. */
  readonly washByHand?: boolean;
  readonly washGear?: number;
  /** Circuits of lamps that were set; without them those of `usualLighting`. */
  readonly lighting?: readonly LightingRow[];
  /** Light by hand, and until when (epoch ms). */
  readonly light?: boolean;
  readonly lightUntilMs?: number;
  /** When a restart is over (epoch ms). */
  readonly bootMs?: number;
  /** 0–100 % */
  readonly heater: number;
  readonly pad: boolean;
  /** How wet the pad is, 0–1; absent in what older versions saved. */
  readonly padWet?: number;
  readonly spray: boolean;
  /** m³/h, mean over a cycle */
  readonly ventilation: number;
  /** Bits of the fans that ran since the last report; bit 0 is fan 1. */
  readonly ranFans: number;
  readonly waterL: number;
  readonly energyKwh: number;
};

/** Air: 1.2 kg/m³ and 1.006 kJ/kg·K give 0.335 Wh per m³ and K. */
const airWhM3K = 0.335;
const airKgM3 = 1.2;
const outdoorCarbonDioxide = 420;
/** Air that leaks in with all fans off, changes of the room per hour. */
const leakPerHour = 0.4;
const fanKw = 1.1;
/** Blocked inlets let in so little air that the house settles this many °C above its target, and at least so many above outdoors. */
const blockedAboveTarget = 7;
const blockedAboveOutdoors = 10;
/** Static pressure in Pa that the fans then draw. */
const blockedPa = 46;
/** Share of its set opening that a blocked inlet reaches. */
const blockedOpening = 0.2;
/** Seconds in which a pad soaks or dries by about two thirds: without it the house would jump at each change of gear. */
const padSoaksS = 2400;
/** Static pressure in Pa with a door open. */
const openDoorPa = 2.5;
/** A gear that moves nine tenths of the least air is taken before the next one, which may move twice as much. */
const nearEnough = 0.9;

/** Sensible heat of a pig in W by live weight in kg: 10·w^0.75·0.65. */
export const sensibleHeat = (weightKg: number): number => 6.5 * weightKg ** 0.75;
/** Ammonia of one pig place in g/h: 0.16 at 60 kg, in step with weight (0.1–0.3 for finishing pigs). */
const ammoniaGramsPerHour = (weightKg: number): number => 0.16 * (weightKg / 60);
/** Carbon dioxide of one pig in m³/h: 0.025 at 60 kg (0.02–0.04). */
const carbonDioxidePerHour = (weightKg: number): number => 0.025 * (weightKg / 60) ** 0.75;
/** Moisture of one pig in kg/h: 70 g at 54 kg (NEW 87:06). */
const moisturePerHour = (weightKg: number): number => 0.07 * (weightKg / 54) ** 0.75;

/** Water vapour at saturation in kg per kg of dry air, at sea level (Magnus). */
export function saturation(temperatureC: number): number {
  const pressure = 6.112 * Math.exp((17.62 * temperatureC) / (243.12 + temperatureC));
  return (0.622 * pressure) / (1013.25 - pressure);
}

/** Wet-bulb temperature in °C (Stull 2011), for humidity from 5 %. */
export function wetBulb(temperatureC: number, humidityPercent: number): number {
  const rh = Math.max(5, humidityPercent);
  return (
    temperatureC * Math.atan(0.151977 * Math.sqrt(rh + 8.313659)) +
    Math.atan(temperatureC + rh) -
    Math.atan(rh - 1.676331) +
    0.00391838 * rh ** 1.5 * Math.atan(0.023101 * rh) -
    4.686035
  );
}

/** Relative humidity in % of a state. */
export const humidityOf = (state: Pick<UnitState, "temperatureC" | "moisture">): number =>
  Math.min(99, (100 * state.moisture) / saturation(state.temperatureC));

/** Weight in kg the ventilation of a type is built for, and air per place in m³. */
const designs: Readonly<Record<PigstyType, { readonly weightKg: number; readonly volumeM3: number }>> = {
  boar: { weightKg: 250, volumeM3: 14 },
  reserve: { weightKg: 120, volumeM3: 5 },
  pregnancy: { weightKg: 220, volumeM3: 8 },
  nursing: { weightKg: 230, volumeM3: 14 },
  piglet: { weightKg: 28, volumeM3: 1.3 },
  fattening: { weightKg: 110, volumeM3: 3.2 },
  integrated: { weightKg: 110, volumeM3: 3.2 },
};

const coldestDay = Date.UTC(2026, 0, 19);
const warmestDay = Date.UTC(2026, 6, 19);

/** Builds the unit a controller stands in. */
export function unitSetup(options: {
  readonly seed: number;
  readonly place: Place;
  readonly pigstyType: PigstyType;
  readonly headCount: number;
  readonly weightKg: number;
  readonly volumeM3?: number | undefined;
}): UnitSetup {
  const { seed, place, pigstyType } = options;
  const design = designs[pigstyType];
  const weightKg = options.weightKg > 0 ? options.weightKg : design.weightKg * 0.6;
  // An empty unit is as large as the ones beside it.
  const places = options.headCount > 0 ? options.headCount : Math.round(6000 / design.volumeM3 / 3);
  const volumeM3 = options.volumeM3 ?? places * design.volumeM3;
  const lossWK = 0.3 * volumeM3;
  // The two variable fans carry the heat of a full house at 5 K over the outdoor air.
  const fanM3h = (places * sensibleHeat(design.weightKg)) / (5 * airWhM3K * variableFanCount);
  // Heating for a night 8 K below the mean of the coldest month, at the minimum ventilation of winter, without a tenth of
  // the pigs; never less than a fifth of their heat.
  const nightC = Math.min(seasonalMean(place.latitude, coldestDay), seasonalMean(place.latitude, warmestDay)) - 8;
  const targetC = targetTemperature(pigstyType, { weightKg });
  const table = tableFor(targetC);
  const leastAir = minimumVentilation(pigstyType, "winter", weightKg, places) * nearEnough;
  const leastRow = table[gearForVentilation(leastAir, fanM3h, table) - 1];
  const airWK = airWhM3K * ((leastRow ? fullFans(leastRow) * fanM3h : leastAir) + leakPerHour * volumeM3);
  const pigsW = places * sensibleHeat(weightKg);
  const heaterW = Math.max(0.2 * pigsW, (airWK + lossWK) * (targetC - nightC) - 0.9 * pigsW);
  return {
    seed,
    place,
    pigstyType,
    weightKg,
    volumeM3,
    fanM3h,
    heaterW,
    lossWK,
    capacityJK: volumeM3 * airKgM3 * 1006 * 7,
    vigour: 1 + 0.05 * normal(seed, 0, 1),
  };
}

/** A unit at rest near its target; two simulated hours bring it to its true state. */
export function initialUnit(
  setup: UnitSetup,
  weather: Weather,
  atMs: number,
  start: { readonly mode: UnitMode; readonly pigs: number; readonly targetC?: number },
): UnitState {
  const targetC = start.targetC ?? targetTemperature(setup.pigstyType, { weightKg: setup.weightKg });
  const occupied = start.mode === "normal" && start.pigs > 0;
  const temperatureC = occupied ? targetC + 0.5 : weather.temperatureC + 1;
  return {
    atMs,
    mode: start.mode,
    pigs: start.pigs,
    targetC,
    temperatureC,
    moisture: saturation(temperatureC) * 0.65,
    ammonia: occupied ? 6 : 0.5,
    carbonDioxide: occupied ? 1500 : outdoorCarbonDioxide,
    gear: occupied ? 2 : 0,
    gearSinceMs: atMs,
    manualGear: null,
    manualUntilMs: 0,
    heater: 0,
    pad: false,
    spray: false,
    ventilation: 0,
    ranFans: 0,
    waterL: Math.round(uniform(setup.seed, 1, 2) * 900_000),
    energyKwh: Math.round(uniform(setup.seed, 2, 2) * 40_000),
  };
}

/** One table per set-point in tenths; the fleet has a few dozen set-points. */
const tables = new Map<number, readonly FanTableRow[]>();
function tableFor(targetC: number): readonly FanTableRow[] {
  const key = Math.round(targetC * 10);
  let table = tables.get(key);
  if (!table) {
    table = gearTable(targetC);
    tables.set(key, table);
  }
  return table;
}

/** Share of the day's drinking per hour, with peaks in the morning and the afternoon; the mean over a day is 1. */
export function drinkingRhythm(hour: number): number {
  const morning = Math.exp(-(((hour - 8.5) / 2.6) ** 2));
  const afternoon = Math.exp(-(((hour - 16.5) / 2.8) ** 2));
  return (0.3 + 1.8 * morning + 2 * afternoon) / (0.3 + ((1.8 * 2.6 + 2 * 2.8) * Math.sqrt(Math.PI)) / 24);
}

/** Litres per pig and day: about 10 % of live weight, 2–10 L for growing pigs, more for sows that suckle. */
const drinkingLitres = (setup: UnitSetup): number =>
  Math.min(setup.pigstyType === "nursing" ? 22 : 11, 0.1 * setup.weightKg);

/** Until somebody sets another; the default of the parameter `wash_gear`. */
const ordinaryWashGear = 3;

/** Gear that the controller wants now. */
function wantedGear(
  setup: UnitSetup,
  state: UnitState,
  mode: UnitMode,
  weather: Weather,
  table: readonly FanTableRow[],
): number {
  if (state.manualGear !== null && state.atMs < state.manualUntilMs) return state.manualGear;
  if (mode === "empty") return 0;
  if (mode === "washing" && state.washByHand === true) return state.washGear ?? ordinaryWashGear;
  if (mode === "washing") return weather.temperatureC < 10 ? 2 : weather.temperatureC < 20 ? 4 : 6;
  if (state.pigs === 0) return 0;
  const measured = state.temperatureC;
  // In the cold the controller falls back to the least air of winter before it lets the house cool out.
  const season = measured < state.targetC - 0.3 ? "winter" : seasonFor(weather.dayMeanC);
  const leastAir = minimumVentilation(setup.pigstyType, season, setup.weightKg, state.pigs);
  const min = gearForVentilation(leastAir * nearEnough, setup.fanM3h, table);
  const boost = (state.ammonia / ammoniaMgPerPpm > 20 ? 1 : 0) + (state.carbonDioxide > 3000 ? 1 : 0);
  return Math.min(18, Math.max(gearFor(measured, state.gear, table), min + boost));
}

/** Air in m³/h that blocked inlets let in. */
function blockedVentilation(setup: UnitSetup, targetC: number, outdoorsC: number, sourceW: number): number {
  const settlesAtC = Math.max(targetC + blockedAboveTarget, outdoorsC + blockedAboveOutdoors);
  const air = (sourceW / (settlesAtC - outdoorsC) - setup.lossWK) / airWhM3K;
  return Math.max(0, air - leakPerHour * setup.volumeM3);
}

const smooth = (now: number, goal: number, share: number): number => goal + (now - goal) * share;

/** Bits of the fans that run in a row during a step that ends at `atMs`. */
function fanBits(row: FanTableRow | undefined, atMs: number): number {
  if (!row) return 0;
  if (row.cycle_off_s > 0) {
    const cycleS = row.cycle_on_s + row.cycle_off_s;
    return (atMs / 1000 - 1) % cycleS < row.cycle_on_s ? 1 : 0;
  }
  return (1 << row.fans) - 1;
}

const bitsIn = (bits: number): number => {
  let left = bits;
  let ones = 0;
  for (; left !== 0; left &= left - 1) ones += 1;
  return ones;
};

/** Air that fans switched by hand add to that of a row, in fans at full speed; negative where they are off. */
function switchedFans({ fansOn = 0, fansOff = 0 }: UnitState, row: FanTableRow | undefined): number {
  if (fansOn === 0 && fansOff === 0) return 0;
  const running = row ? (1 << row.fans) - 1 : 0;
  const share = row && row.fans > 0 ? fullFans(row) / row.fans : 0;
  return bitsIn(fansOn & ~running) - share * bitsIn(fansOff & running);
}

/**
 * The unit `dtS` seconds later. Pure: the same state, weather and step give the same result. Balances are solved exactly over
 * the step, so that any step up to a few minutes is stable.
 */
export function stepUnit(
  setup: UnitSetup,
  state: UnitState,
  dtS: number,
  weather: Weather,
  effects: Effects = noEffects,
): UnitState {
  const atMs = state.atMs + dtS * 1000;
  const mode = modeOf(state, effects);
  const table = tableFor(state.targetC);
  let { gear, gearSinceMs, manualGear } = state;
  if (manualGear !== null && state.atMs >= state.manualUntilMs) manualGear = null;
  const wanted = wantedGear(setup, state, mode, weather, table);
  const byHand = manualGear !== null || mode !== "normal";
  if (wanted !== gear && (byHand || state.atMs - gearSinceMs >= gearDwellS * 1000)) {
    // Up by two at most, down one by one; but what blows below the set-point is let go at once.
    const down = state.temperatureC < state.targetC ? wanted : gear - 1;
    gear = byHand ? wanted : wanted > gear ? Math.min(wanted, gear + 2) : down;
    gearSinceMs = state.atMs;
  }
  const row = gear > 0 ? table[gear - 1] : undefined;
  const humidity = humidityOf(state);
  const occupied = state.pigs > 0 && (state.mode === "normal" || effects.setEmpty === true);
  const powered = effects.mainsLost !== true;
  const turning = powered && effects.fansTripped !== true;
  const pad =
    powered &&
    mode === "normal" &&
    occupied &&
    row?.pad === true &&
    state.temperatureC >= coolingFromC &&
    humidity < coolingBelowHumidity;
  const spray = pad && row.spray && (atMs / 1000) % (row.spray_on_s + row.spray_off_s) < row.spray_on_s;
  const wantedVentilation = turning
    ? Math.max(0, (row ? fullFans(row) : 0) + switchedFans(state, row)) * setup.fanM3h
    : 0;

  const outdoorMoisture = (saturation(weather.temperatureC) * weather.humidityPercent) / 100;
  // A wet pad brings the air three quarters of the way to its wet bulb; the water it takes up stays in the air.
  const padWet = smooth(state.padWet ?? 0, pad ? 1 : 0, Math.exp(-dtS / padSoaksS));
  const cooledBy =
    padWet > 0.01
      ? padWet * 0.75 * Math.max(0, weather.temperatureC - wetBulb(weather.temperatureC, weather.humidityPercent))
      : 0;
  const supplyC = weather.temperatureC - cooledBy;
  const supplyMoisture = outdoorMoisture + cooledBy * 0.00041;

  const hour = clockHour(atMs);
  const activity = 1 + 0.12 * Math.cos((2 * Math.PI * (hour - 15)) / 24);
  const heat = Math.max(0, state.temperatureC - 22);
  const pigsW = occupied
    ? state.pigs * sensibleHeat(setup.weightKg) * activity * Math.max(0.4, 1 - 0.025 * heat) * setup.vigour
    : 0;
  const heats = powered && occupied && mode === "normal";
  const heater = heats ? 100 * Math.min(1, Math.max(0, (state.targetC - 0.3 - state.temperatureC) / 1.2)) : 0;
  const sourceW = pigsW + (heater / 100) * setup.heaterW * (effects.heating ?? 1) - (spray ? 0.06 * pigsW : 0);
  const ventilation =
    occupied && effects.inletsBlocked === true
      ? Math.min(wantedVentilation, blockedVentilation(setup, state.targetC, weather.temperatureC, sourceW))
      : wantedVentilation;
  const air = ventilation + leakPerHour * setup.volumeM3;
  const conductanceWK = airWhM3K * air + setup.lossWK;
  const goalC = (airWhM3K * air * supplyC + setup.lossWK * weather.temperatureC + sourceW) / conductanceWK;
  const temperatureC = smooth(state.temperatureC, goalC, Math.exp((-conductanceWK * dtS) / setup.capacityJK));

  const exchange = Math.exp(((-air / setup.volumeM3) * dtS) / 3600);
  const residue = state.mode === "washing" ? 0.15 : 0.02;
  const places = occupied ? state.pigs : 0;
  const ammoniaMg =
    1000 *
    ammoniaGramsPerHour(setup.weightKg) *
    (places *
      activity *
      setup.vigour *
      (1 + 0.03 * (temperatureC - 20)) *
      (1 + 0.08 * drift(setup.seed, atMs, 14_400, 3)) +
      (places === 0 ? (residue * setup.volumeM3) / 3 : 0));
  const foulMgM3 =
    effects.pitAmmonia === undefined
      ? undefined
      : effects.pitAmmonia * ammoniaMgPerPpm * (1 + 0.1 * drift(setup.seed, atMs, 14_400, 3));
  const ammonia = smooth(state.ammonia, foulMgM3 ?? ammoniaMg / air, exchange);
  const carbonDioxideGoal =
    outdoorCarbonDioxide + (1e6 * places * carbonDioxidePerHour(setup.weightKg) * activity * setup.vigour) / air;
  const carbonDioxide = smooth(state.carbonDioxide, carbonDioxideGoal, exchange);
  const wetFloor = state.mode === "washing" ? 0.06 * setup.volumeM3 : places * 0.32 * (setup.weightKg / 54) ** 0.67;
  const vapourKgH =
    places * moisturePerHour(setup.weightKg) * activity * (1 + 0.05 * heat) +
    wetFloor * Math.max(0, 0.75 - humidity / 100) +
    (spray ? 0.02 * places : 0);
  const limit = saturation(temperatureC) * 0.97;
  const moisture = Math.min(limit, smooth(state.moisture, supplyMoisture + vapourKgH / (air * airKgM3), exchange));

  const thirst = (effects.drinking ?? 1) * (1 + 0.03 * heat) * (1 + 0.06 * drift(setup.seed, atMs, 7200, 4));
  const waterL =
    state.waterL +
    (places * drinkingLitres(setup) * thirst * drinkingRhythm(hour) * dtS) / 86_400 +
    ((effects.leakLh ?? 0) * dtS) / 3600 +
    (state.mode === "washing" ? (900 * dtS) / 3600 : 0);
  const drive = (row?.vfd ?? 0) / 100;
  const variable = Math.min(row?.fans ?? 0, variableFanCount);
  const duty = row && row.cycle_off_s > 0 ? row.cycle_on_s / (row.cycle_on_s + row.cycle_off_s) : 1;
  const kw = !powered
    ? 0
    : (row && turning ? fanKw * duty * (variable * drive ** 3 + (row.fans - variable)) : 0) +
      (pad ? 0.75 : 0) +
      (spray ? 0.55 : 0) +
      (lampLux(setup, state, hour) > 0 && occupied ? 0.6 : 0) +
      0.15;
  return {
    atMs,
    mode: state.mode,
    pigs: state.pigs,
    targetC: state.targetC,
    temperatureC,
    moisture,
    ammonia,
    carbonDioxide,
    gear,
    gearSinceMs,
    manualGear,
    manualUntilMs: state.manualUntilMs,
    heater,
    pad,
    padWet,
    spray,
    ventilation,
    ...(state.fansOn !== undefined && { fansOn: state.fansOn }),
    ...(state.fansOff !== undefined && { fansOff: state.fansOff }),
    ...(state.washByHand !== undefined && { washByHand: state.washByHand }),
    ...(state.washGear !== undefined && { washGear: state.washGear }),
    ...(state.lighting !== undefined && { lighting: state.lighting }),
    ...(state.light !== undefined && { light: state.light }),
    ...(state.lightUntilMs !== undefined && { lightUntilMs: state.lightUntilMs }),
    ...(state.bootMs !== undefined && { bootMs: state.bootMs }),
    ranFans: turning ? ((state.ranFans | fanBits(row, atMs)) & ~(state.fansOff ?? 0)) | (state.fansOn ?? 0) : 0,
    waterL,
    energyKwh: state.energyKwh + (kw * dtS) / 3600,
  };
}

/** After a report the fans count anew. */
export const afterReport = (state: UnitState): UnitState => ({ ...state, ranFans: 0 });

/** The mode that the controller is in: the one that was set, unless somebody set it wrongly. */
const modeOf = (state: UnitState, effects: Effects): UnitMode => (effects.setEmpty ? "empty" : state.mode);

/** A circuit of lamps: times of the day as HH:MM, lx at the pigs. */
export interface LightingRow {
  readonly on: string;
  readonly off: string;
  readonly lux: number;
  readonly channel: number;
}

/** The lamps of a unit before anybody sets others: within what its stage wants. */
export function usualLighting({ pigstyType, weightKg, seed }: UnitSetup): readonly LightingRow[] {
  const [dim, bright] = climateTarget(pigstyType, weightKg).lightLux;
  return [
    {
      on: "07:00",
      off: "18:30",
      lux: Math.round(dim + (bright - dim) * (0.4 + 0.3 * uniform(seed, 3, 2))),
      channel: 1,
    },
  ];
}

const hourOf = (text: string): number => Number(text.slice(0, 2)) + Number(text.slice(3, 5)) / 60;

/** lx of the brightest circuit at an hour of the day, 0 where none is on. @param hour undefined: of all, as where the light is on by hand */
function lampLux(setup: UnitSetup, state: UnitState, hour?: number): number {
  const rows = state.lighting ?? usualLighting(setup);
  const on = rows.filter((row) => hour === undefined || (hour >= hourOf(row.on) && hour < hourOf(row.off)));
  return Math.max(0, ...on.map(({ lux }) => lux));
}

/** Static pressure in Pa: inlets keep it between 10 and 30, in a closed house only wind moves it. */
function staticPressure(
  setup: UnitSetup,
  state: UnitState,
  effects: Effects,
  row: FanTableRow | undefined,
  minute: number,
): number {
  if (!row) return Math.abs(normal(setup.seed, minute, 20));
  if (effects.doorOpen) return openDoorPa + 0.5 * normal(setup.seed, minute, 22);
  if (effects.inletsBlocked && state.mode === "normal") return blockedPa + 0.5 * normal(setup.seed, minute, 22);
  const ratio = fullFans(row) / fanCount / (row.damper / 100);
  return (
    20 * Math.sqrt(Math.max(0.35, ratio)) * (1 + 0.04 * drift(setup.seed, state.atMs, 1800, 21)) +
    0.5 * normal(setup.seed, minute, 22)
  );
}

/** What the controller reports for a state: every channel of the kind but the shared ones, not yet rounded. */
export function readUnit(
  setup: UnitSetup,
  state: UnitState,
  weather: Weather,
  effects: Effects = noEffects,
): Record<string, ReportedValue> {
  const { seed } = setup;
  const powered = effects.mainsLost !== true;
  const turning = powered && effects.fansTripped !== true;
  const mode = modeOf(state, effects);
  const minute = Math.floor(state.atMs / 60_000);
  const noise = (channel: number): number => normal(seed, minute, channel);
  const row = state.gear > 0 ? tableFor(state.targetC)[state.gear - 1] : undefined;
  const values: Record<string, ReportedValue> = {};
  let sum = 0;
  for (let probe = 1; probe <= 4; probe++) {
    const off = probe === 1 ? (effects.probeOff ?? 0) : 0;
    const value =
      Math.round((state.temperatureC + off + 0.3 * normal(seed, probe, 30) + 0.08 * noise(30 + probe)) * 10) / 10;
    values[`t${probe}`] = value;
    sum += value;
  }
  const t = sum / 4;
  const ammoniaPpm = Math.max(0, state.ammonia / ammoniaMgPerPpm + 0.25 * noise(40));
  const hour = clockHour(state.atMs);
  const byHand = state.light !== undefined && state.atMs < (state.lightUntilMs ?? 0);
  const lamp =
    !powered || (mode === "empty" && !byHand)
      ? 2
      : Math.max(4, byHand && state.light !== true ? 0 : lampLux(setup, state, byHand ? undefined : hour));
  values.t_in = t;
  values.rh = Math.max(5, humidityOf(state) + 0.6 * noise(41));
  values.t_out = weather.temperatureC + 0.1 * noise(42);
  values.rh_out = Math.min(100, weather.humidityPercent + 0.5 * noise(43));
  values.nh3 = ammoniaPpm;
  values.co2 = Math.max(380, state.carbonDioxide + 12 * noise(44));
  values.h2s = Math.max(0, (effects.pitSulfide ?? 0) + 0.03 * ammoniaPpm + 0.06 * noise(45));
  values.dp = staticPressure(setup, state, effects, turning ? row : undefined, minute);
  values.airspd = row && turning ? 0.16 + 0.75 * (fullFans(row) / fanCount) + 0.01 * Math.abs(noise(46)) : 0.03;
  values.lux = Math.max(0, lamp + noise(47));
  values.gear_cmd = state.gear;
  // Without its fans the controller is in no gear, whatever it wants.
  values.gear = turning ? state.gear : 0;
  values.vfd = turning ? (row?.vfd ?? 0) : 0;
  values.damper_cmd = row?.damper ?? 0;
  for (let damper = 1; damper <= 4; damper++) {
    const opens = effects.inletsBlocked ? blockedOpening : 1;
    values[`damper_${damper}`] = row ? Math.min(100, Math.max(0, row.damper * opens + noise(50 + damper))) : 0;
  }
  values.vent = state.ventilation;
  for (let fan = 1; fan <= fanCount; fan++) {
    const runs = (state.ranFans & (1 << (fan - 1))) !== 0;
    const drive = fan <= variableFanCount ? (row?.vfd ?? 100) : 100;
    const fault = effects.fanDrag !== undefined && fan === 1 ? effects.fanDrag : 0.96 + 0.03 * normal(seed, fan, 60);
    values[`fan_${fan}`] = runs;
    values[`fan_${fan}_a`] = runs ? ratedFanCurrentA * drivenCurrentShare(drive) * (fault + 0.01 * noise(60 + fan)) : 0;
    values[`fan_${fan}_rpm`] = runs ? ratedFanRpm * (drive / 100) * (1 + 0.006 * noise(75 + fan)) : 0;
  }
  values.spray = state.spray;
  values.pad = state.pad;
  values.heater = state.heater;
  values.water = state.waterL;
  values.kwh = state.energyKwh;
  values.mains = powered;
  values.mode = mode;
  values.t_target = state.targetC;
  values.pigs = state.pigs;
  return values;
}
