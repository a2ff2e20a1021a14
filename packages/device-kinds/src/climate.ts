/** Climate targets per pigsty type, heat index, minimum ventilation, target temperature. Pure functions. */
import type { Interval, LocalText, PigstyType } from "./device-kind.ts";

export type Season = "winter" | "mild" | "summer";

/**
 * Climate figures of one pigsty type. Reference values recalled from GB/T 17824.3-2008 [R]; reserve takes the row of
 * pregnancy, integrated goes by weight [A]. Temperatures °C, humidity % RH, gases mg/m³, light lx and h/day.
 */
export type ClimateTarget = {
  readonly name: LocalText;
  /** Comfortable temperature in °C. */
  readonly temperatureComfort: Interval;
  /** Lowest and highest temperature in °C that the standard allows. */
  readonly temperatureLimits: Interval;
  /** Creep area of the piglets in °C; nursing only. */
  readonly creepComfort?: Interval;
  readonly humidityComfort: Interval;
  readonly humidityLimits: Interval;
  /**
   * Limits of the standard in mg/m³, for charts; the alarm on CO2 is looser, because 1300–1500 mg/m³ is stricter than common
   * practice.
   */
  readonly ammoniaMgM3: number;
  readonly hydrogenSulfideMgM3: number;
  readonly carbonDioxideMgM3: number;
  /** Minimum ventilation in m³ per hour and kg of live weight. */
  readonly ventilation: Readonly<Record<Season, number>>;
  /** Air speed at the animal in m/s. */
  readonly airSpeed: { readonly winter: number; readonly summer: number };
  readonly lightLux: Interval;
  readonly lightHours: Interval;
};

const sow: Omit<ClimateTarget, "name"> = {
  temperatureComfort: [15, 20],
  temperatureLimits: [13, 27],
  humidityComfort: [60, 70],
  humidityLimits: [50, 85],
  ammoniaMgM3: 25,
  hydrogenSulfideMgM3: 10,
  carbonDioxideMgM3: 1500,
  ventilation: { winter: 0.3, mild: 0.45, summer: 0.6 },
  airSpeed: { winter: 0.3, summer: 1.0 },
  lightLux: [50, 100],
  lightHours: [10, 12],
};

const piglet: ClimateTarget = {
  ...sow,
  name: { zh: "保育舍", en: "Nursery" },
  temperatureComfort: [20, 25],
  temperatureLimits: [16, 28],
  humidityLimits: [50, 80],
  ammoniaMgM3: 20,
  hydrogenSulfideMgM3: 8,
  carbonDioxideMgM3: 1300,
  airSpeed: { winter: 0.2, summer: 0.6 },
};

const fattening: ClimateTarget = {
  ...sow,
  name: { zh: "育肥舍", en: "Finishing house" },
  temperatureComfort: [15, 23],
  humidityComfort: [65, 75],
  ventilation: { winter: 0.35, mild: 0.5, summer: 0.65 },
  lightLux: [30, 50],
  lightHours: [8, 12],
};

/** The climate table; `integrated` holds its figures for 30–60 kg, see `climateTarget` for other weights. */
export const climateTable: Readonly<Record<PigstyType, ClimateTarget>> = {
  boar: {
    ...sow,
    name: { zh: "公猪舍", en: "Boar house" },
    temperatureLimits: [13, 25],
    ventilation: { winter: 0.35, mild: 0.55, summer: 0.7 },
  },
  reserve: { ...sow, name: { zh: "后备舍", en: "Gilt house" } },
  pregnancy: { ...sow, name: { zh: "妊娠舍", en: "Gestation house" } },
  nursing: {
    ...sow,
    name: { zh: "哺乳舍", en: "Farrowing house" },
    temperatureComfort: [18, 22],
    temperatureLimits: [16, 27],
    creepComfort: [28, 32],
    humidityLimits: [50, 80],
    ammoniaMgM3: 20,
    hydrogenSulfideMgM3: 8,
    carbonDioxideMgM3: 1300,
    airSpeed: { winter: 0.15, summer: 0.4 },
  },
  piglet,
  fattening,
  integrated: { ...fattening, name: { zh: "一体舍", en: "Wean-to-finish house" } },
};

/** Weight in kg up to which pigs in an integrated house are kept like nursery pigs [A]. */
const nurseryUntilKg = 30;
const unknownWeightKg = 45;

/** Climate figures for a pigsty; the integrated one follows the weight: nursery figures below 30 kg, then finishing. */
export function climateTarget(pigsty: PigstyType, weightKg: number = unknownWeightKg): ClimateTarget {
  if (pigsty !== "integrated" || weightKg >= nurseryUntilKg) return climateTable[pigsty];
  return { ...piglet, name: climateTable.integrated.name };
}

const round = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Linear interpolation between points, constant outside; points ascend in x. */
export function interpolate(points: readonly (readonly [x: number, y: number])[], x: number): number {
  let previous = points[0];
  if (!previous) return Number.NaN;
  for (const point of points) {
    if (x <= point[0]) {
      const span = point[0] - previous[0];
      return span === 0 ? point[1] : previous[1] + ((x - previous[0]) / span) * (point[1] - previous[1]);
    }
    previous = point;
  }
  return previous[1];
}

/** Target by live weight, kg → °C, for growing pigs [A]; it stays inside the comfort bands of the table. */
const growingCurve = [
  [6, 25],
  [10, 24.5],
  [15, 23.5],
  [20, 22.5],
  [30, 21.5],
  [45, 20.5],
  [60, 19.5],
  [80, 18.5],
  [110, 17.5],
] as const;

/** Live weight by age, days → kg, a typical growth curve [A]. */
const growthCurve = [
  [0, 1.4],
  [21, 6.2],
  [28, 7.5],
  [42, 12.5],
  [56, 19],
  [70, 28],
  [100, 52],
  [130, 80],
  [160, 107],
  [180, 122],
] as const;

/** Typical live weight in kg of a growing pig at an age in days [A]. */
export const usualWeightKg = (ageDays: number): number => interpolate(growthCurve, ageDays);

const lastCurveDay = 180;

/** Age in whole days at which a growing pig usually has a weight in kg; that of the curve's end for a heavier one. */
export function usualAgeDays(weightKg: number): number {
  let age = 0;
  while (age < lastCurveDay && usualWeightKg(age + 1) <= weightKg) age += 1;
  return age;
}

/**
 * Gain in g of each of the next days: what the curve of usual weights [A] gains at that age, scaled by how much heavier or lighter the pigs
 * are than it. Beyond its end they go on as on its last days.
 * @param weightGrams mean weight today
 * @param ageDays today; the usual age at that weight where it is not known
 */
export function usualGainsGrams(weightGrams: number, ageDays: number | undefined, days: number): number[] {
  const age = ageDays ?? usualAgeDays(weightGrams / 1000);
  const usualKg = usualWeightKg(age);
  return Array.from({ length: days }, (_, at) => {
    const from = Math.min(age + at, lastCurveDay - 1);
    return Math.round(((usualWeightKg(from + 1) - usualWeightKg(from)) * weightGrams) / usualKg);
  });
}

/** Weight or age of the pigs of a unit; the weight is preferred. */
export type PigAge = { readonly weightKg?: number | undefined; readonly ageDays?: number | undefined };

/**
 * Target temperature in °C for a unit [A]: middle of the comfort band for boars and sows, the curve by weight for growing
 * pigs, inside the comfort band. In the farrowing house it is that of the room; the creep has its own heat.
 */
export function targetTemperature(pigsty: PigstyType, pigs: PigAge = {}): number {
  const weightKg = pigs.weightKg ?? (pigs.ageDays === undefined ? undefined : usualWeightKg(pigs.ageDays));
  const [low, high] = climateTarget(pigsty, weightKg).temperatureComfort;
  switch (pigsty) {
    case "boar":
    case "reserve":
    case "pregnancy":
      return 18;
    case "nursing":
      return 20;
    case "piglet":
      return round(Math.min(high, Math.max(low, interpolate(growingCurve, weightKg ?? 12))), 1);
    case "fattening":
    case "integrated":
      return round(Math.min(high, Math.max(low, interpolate(growingCurve, weightKg ?? unknownWeightKg))), 1);
  }
}

/** Season for the minimum ventilation by the mean outdoor temperature of the day in °C [A]: below 10 winter, above 22 summer. */
export function seasonFor(outdoorMeanC: number): Season {
  if (outdoorMeanC < 10) return "winter";
  return outdoorMeanC > 22 ? "summer" : "mild";
}

/** Minimum ventilation in m³/h for a unit: table rate × mean weight in kg × heads (GB/T 17824.3-2008, reference value). */
export function minimumVentilation(pigsty: PigstyType, season: Season, weightKg: number, head: number): number {
  return climateTarget(pigsty, weightKg).ventilation[season] * Math.max(0, weightKg) * Math.max(0, head);
}

/**
 * Temperature-humidity index (reference value): (1.8 T + 32) − (0.55 − 0.0055 RH)(1.8 T − 26).
 * @param temperatureC air temperature in °C
 * @param humidityPercent relative humidity 0–100 %
 */
export function thi(temperatureC: number, humidityPercent: number): number {
  return 1.8 * temperatureC + 32 - (0.55 - 0.0055 * humidityPercent) * (1.8 * temperatureC - 26);
}

export type ThiBand = "normal" | "alert" | "danger" | "emergency";

/** Lower edges of the heat bands (reference values): below 74 normal, 74 alert, 79 danger, 84 emergency. */
export const thiBands: readonly { readonly band: ThiBand; readonly from: number; readonly name: LocalText }[] = [
  { band: "normal", from: Number.NEGATIVE_INFINITY, name: { zh: "正常", en: "Normal" } },
  { band: "alert", from: 74, name: { zh: "警戒", en: "Alert" } },
  { band: "danger", from: 79, name: { zh: "危险", en: "Danger" } },
  { band: "emergency", from: 84, name: { zh: "紧急", en: "Emergency" } },
];

/** Heat band of a temperature-humidity index; see `thiBands`. */
export function thiBand(index: number): ThiBand {
  return thiBands.findLast(({ from }) => index >= from)?.band ?? "normal";
}

/** Ammonia: 1 ppm is about 0.70 mg/m³ at 25 °C. */
export const ammoniaMgPerPpm = 0.7;
/** Carbon dioxide: 1 ppm is about 1.80 mg/m³ at 25 °C. */
export const carbonDioxideMgPerPpm = 1.8;
