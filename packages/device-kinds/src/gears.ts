/** The gear table of the climate controller and the choice of gear from the temperature. Pure functions. */

/** One row of the fan table, as it is sent to the device. */
export type FanTableRow = {
  /** 1–18, ascending without gaps. */
  readonly gear: number;
  /** Number of running fans, 0–11; fans 1 and 2 have a frequency drive. */
  readonly fans: number;
  /** Drive of the variable fans in %. */
  readonly vfd: number;
  /** Temperature in °C at which the controller goes up to this gear. */
  readonly t_up: number;
  /** Temperature in °C below which it goes down to the next lower gear. */
  readonly t_down: number;
  /** Opening of the inlets in %. */
  readonly damper: number;
  readonly spray: boolean;
  readonly spray_on_s: number;
  readonly spray_off_s: number;
  readonly pad: boolean;
  /** Cycle of fan 1 in seconds; both 0 where fans run without a break. */
  readonly cycle_on_s: number;
  readonly cycle_off_s: number;
  /** Minimum time in the gear, in seconds. */
  readonly min_run_s: number;
};

/** Most gears a controller takes. */
export const maxGears = 18;
/** Fans of a unit. */
export const fanCount = 11;
/** Fans with a frequency drive; the others run at full speed. */
export const variableFanCount = 2;
/** A gear is left this many °C below the temperature at which it was entered [A]. */
export const gearHysteresisC = 0.4;
/** Minimum time in a gear, in seconds [A]. */
export const gearDwellS = 120;
/** Pad and spray work only from this temperature in °C on, and below the humidity of `coolingBelowHumidity` [A]. */
export const coolingFromC = 28;
/** Relative humidity in % below which pad and spray work [A]. */
export const coolingBelowHumidity = 80;

/** Distance of the up temperatures from the set-point in °C [A]. */
const upOffsets = [-1, 0, 0.7, 1.4, 2.1, 2.8, 3.5, 4.2, 5, 5.8, 6.6, 7.4, 8.2, 9, 9.8, 10.6, 11.4, 12.2];
/** Inlet opening in % per gear [A]: from 8 and 12 up to 100, wider steps where a fixed fan is added. */
const damperOpenings = [8, 12, 16, 20, 25, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 95, 100];
/** Cycle of fan 1 in gears 1 and 2, seconds on and off [A]. */
const cycles = [
  [60, 240],
  [120, 180],
] as const;
/** Spray seconds on and off in gears 16–18 [A]. */
const sprays = [
  [60, 540],
  [120, 480],
  [180, 420],
] as const;

const toTenth = (value: number): number => Math.round(value * 10) / 10;

/**
 * The default table for a set-point in °C [A]: gears 1–2 cycle fan 1, gears 3–6 run the variable fans at 40–100 %, gears
 * 7–15 each add a fixed fan, gears 16–18 add pad and spray.
 */
export function gearTable(setPoint: number): FanTableRow[] {
  return upOffsets.map((offset, index) => {
    const gear = index + 1;
    const cycle = cycles[index];
    const spray = gear >= 16 ? sprays[gear - 16] : undefined;
    const up = toTenth(setPoint + offset);
    return {
      gear,
      fans: gear <= 2 ? 1 : Math.min(fanCount, Math.max(variableFanCount, gear - 4)),
      vfd: gear >= 3 && gear <= 6 ? 40 + 20 * (gear - 3) : 100,
      t_up: up,
      t_down: toTenth(up - gearHysteresisC),
      damper: damperOpenings[index] ?? 100,
      spray: spray !== undefined,
      spray_on_s: spray?.[0] ?? 0,
      spray_off_s: spray?.[1] ?? 0,
      pad: gear >= 16,
      cycle_on_s: cycle?.[0] ?? 0,
      cycle_off_s: cycle?.[1] ?? 0,
      min_run_s: gearDwellS,
    };
  });
}

/**
 * The gear for a temperature in °C, with hysteresis: up at `t_up` of a gear, down below `t_down` of the current one.
 * Ventilation never stops with animals in the house: the lowest answer is the first gear.
 * @param currentGear the current gear, 0–18
 */
export function gearFor(temperatureC: number, currentGear: number, table: readonly FanTableRow[]): number {
  let rising = 1;
  let holding = 1;
  for (const row of table) {
    if (temperatureC >= row.t_up) rising = row.gear;
    if (temperatureC >= row.t_down) holding = row.gear;
  }
  if (currentGear < rising) return rising;
  return Math.min(currentGear, holding);
}

/** Mean air flow of a gear, in fans at full speed: 0.2 in gear 1 of the default table, 11 in gear 18. */
export function fullFans(row: FanTableRow): number {
  const cycleS = row.cycle_on_s + row.cycle_off_s;
  const duty = cycleS === 0 ? 1 : row.cycle_on_s / cycleS;
  const variable = Math.min(row.fans, variableFanCount);
  return duty * (variable * (row.vfd / 100) + (row.fans - variable));
}

/** The lowest gear with at least the wanted air flow; the highest gear when none reaches it. Both flows in m³/h. */
export function gearForVentilation(wantedM3h: number, fanM3h: number, table: readonly FanTableRow[]): number {
  const row = table.find((candidate) => fullFans(candidate) * fanM3h >= wantedM3h);
  return row?.gear ?? table.at(-1)?.gear ?? 1;
}
