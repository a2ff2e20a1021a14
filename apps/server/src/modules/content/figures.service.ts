import type { LiveFigures, PigstyType } from "@herdwise/contract";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";

/** Visitors share one answer for this long: the home page must not be a way to load the database. */
const freshForMs = 5000;

/** Keys of the showcase unit that visitors may see. */
const shownKeys = ["t_in", "t_out", "rh", "nh3", "co2", "vent", "gear", "dp", "water", "pad", "spray", "heater", "vfd"];

export interface FiguresDependencies {
  devices: DeviceService;
  farms: FarmService;
  valuesLastDay: () => Promise<number>;
  now: () => number;
}

export function createFiguresService({ devices, farms, valuesLastDay, now }: FiguresDependencies) {
  let held: { figures: Promise<LiveFigures>; at: number } | undefined;

  const read = async (): Promise<LiveFigures> => {
    const [counts, totals, values, unit] = await Promise.all([
      devices.counts(),
      farms.totals(),
      valuesLastDay(),
      devices.showcase(),
    ]);
    const showcase = unit && {
      ...unit,
      pigstyType: unit.pigstyType as PigstyType,
      readings: Object.fromEntries(Object.entries(unit.readings).filter(([key]) => shownKeys.includes(key))),
    };
    return { ...counts, ...totals, valuesLastDay: values, asOfMs: now(), ...(showcase && { showcase }) };
  };

  return {
    liveFigures(): Promise<LiveFigures> {
      if (held === undefined || now() - held.at > freshForMs) {
        const figures = read();
        const fresh = { figures, at: now() };
        held = fresh;
        figures.catch(() => {
          // A failure is not kept: the next visitor asks again.
          if (held === fresh) held = undefined;
        });
      }
      return held.figures;
    },
  };
}
export type FiguresService = ReturnType<typeof createFiguresService>;
