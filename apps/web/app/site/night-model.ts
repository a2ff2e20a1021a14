/**
 * One night in two equal houses, as the balance of ammonia has it (devices.md 2.1): volume x dC/dt = pigs x emission - air x C.
 * An example, told as one: no farm measured it.
 */
export const nightHouse = {
  heads: 480,
  /** Ammonia that a fattening pig gives off, g an hour; 0.1 to 0.3 in devices.md. */
  gramsPerHeadAndHour: 0.2,
  cubicMeters: 1900,
  /** Air of one fan, m³ an hour. Two run on a cool night. */
  fanCubicMetersPerHour: 5700,
} as const;

/** Milligrams in a cubic metre at 1 ppm of ammonia and 25 ℃. */
const milligramsPerPpm = 0.7;
/** Above this for 15 minutes is a minor alarm, in ppm. */
export const limitPpm = 20;

/** Minutes since the start, 20:00. */
const clock = (hours: number, minutes: number): number => ((hours + 4) % 24) * 60 + minutes;
export const nightMinutes = clock(8, 0);
export const events = {
  failed: clock(1, 12),
  /** The current of a fan that is off by more than 30 % for 2 minutes is a major alarm. */
  alarmed: clock(1, 14),
  /** Whoever is on duty starts another fan. */
  mended: clock(1, 16),
  /** Without an alarm somebody comes to feed the pigs. */
  foundAtDawn: clock(6, 13),
} as const;

/** What is looked at: the minute since the start. */
export const moments = [clock(22, 0), events.failed, events.mended, clock(4, 0), events.foundAtDawn] as const;

/** Ammonia in ppm for each minute of the night, when a fan is missing from `failed` until `mended`. */
function ammonia(mended: number): number[] {
  const { heads, gramsPerHeadAndHour, cubicMeters, fanCubicMetersPerHour } = nightHouse;
  const emission = heads * gramsPerHeadAndHour * 1000;
  let milligrams = emission / (2 * fanCubicMetersPerHour);
  return Array.from({ length: nightMinutes + 1 }, (_, minute) => {
    const now = milligrams / milligramsPerPpm;
    const fans = minute >= events.failed && minute < mended ? 1 : 2;
    const settled = emission / (fans * fanCubicMetersPerHour);
    // The exact solution over a minute with constant air.
    milligrams = settled + (milligrams - settled) * Math.exp((-fans * fanCubicMetersPerHour) / cubicMeters / 60);
    return now;
  });
}

export const without = ammonia(events.foundAtDawn);
export const withAlarm = ammonia(events.mended);

/** Whether the rule of the kind would speak. */
export const isOver = (ppm: number): boolean => ppm > limitPpm;
export const minutesAbove = (series: readonly number[]): number => series.filter(isOver).length;

/** `04:00` of a minute of the night. */
export const clockOf = (minute: number): string => {
  const total = minute + 20 * 60;
  return [Math.floor(total / 60) % 24, total % 60].map((part) => String(part).padStart(2, "0")).join(":");
};
