import type { DeviceKindId, KindFigures, LiveFigures, PigstyType } from "@herdwise/contract";
import { channelOf, deviceKinds, localUnit } from "@herdwise/device-kinds";
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
  interface Held<Figures> {
    figures: Promise<Figures>;
    at: number;
    failed: boolean;
  }
  let held: Held<LiveFigures> | undefined;
  const heldOfKind = new Map<DeviceKindId, Held<KindFigures>>();

  /** What is held, or what is read now. A failure is not kept: the next visitor asks again. */
  const kept = <Figures>(former: Held<Figures> | undefined, readNow: () => Promise<Figures>): Held<Figures> => {
    if (former !== undefined && !former.failed && now() - former.at <= freshForMs) return former;
    const fresh: Held<Figures> = { figures: readNow(), at: now(), failed: false };
    fresh.figures.catch(() => {
      fresh.failed = true;
    });
    return fresh;
  };

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

  const readKind = async (kind: DeviceKindId): Promise<KindFigures> => {
    const readings = (await devices.showcaseOf(kind))?.readings ?? {};
    const shown = (deviceKinds[kind].pages?.figures ?? []).flatMap((key) => {
      const [channel, reading] = [channelOf(kind, key), readings[key]];
      return channel !== undefined && typeof reading?.value === "number"
        ? [{ channel, value: reading.value, ts: reading.ts }]
        : [];
    });
    return {
      figures: shown.map(({ channel: { key, name, unit, decimals }, value }) => ({
        key,
        name,
        unit: localUnit(unit),
        decimals,
        value,
      })),
      measuredAtMs: Math.max(0, ...shown.map(({ ts }) => ts)),
    };
  };

  return {
    liveFigures(): Promise<LiveFigures> {
      held = kept(held, read);
      return held.figures;
    },

    /** Of a device of the kind that its owner lets visitors see. */
    kindFigures(kind: DeviceKindId): Promise<KindFigures> {
      const fresh = kept(heldOfKind.get(kind), () => readKind(kind));
      heldOfKind.set(kind, fresh);
      return fresh.figures;
    },
  };
}
export type FiguresService = ReturnType<typeof createFiguresService>;
