import type { DeviceKindId, KindFigures, LiveFigures, PigstyType } from "@herdwise/contract";
import { channelOf, deviceKinds, localUnit } from "@herdwise/device-kinds";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";

/** Visitors share one answer for this long: the home page must not be a way to load the database. */
const freshForMs = 5000;
/** A day by the hour changes once an hour. */
const dayFreshForMs = 60_000;
const hourMs = 3_600_000;
const shownHours = 24;
/** What the day of a kind shows: one figure, or two of the same unit and size that explain each other. */
const curvesOf: Partial<Record<DeviceKindId, readonly string[]>> = {
  environment: ["t_in", "t_out"],
  bathroom: ["water_t", "room_t"],
  cough: ["rehs"],
  deodorization: ["nh3_in", "nh3_out"],
  temperature: ["mean", "p95"],
};

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
  const heldDays = new Map<DeviceKindId, Held<KindFigures["day"]> & { deviceId: string }>();

  /** What is held, or what is read now. A failure is not kept: the next visitor asks again. */
  const kept = <Figures>(
    former: Held<Figures> | undefined,
    readNow: () => Promise<Figures>,
    forMs = freshForMs,
  ): Held<Figures> => {
    if (former !== undefined && !former.failed && now() - former.at <= forMs) return former;
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

  const readDay = async (
    kind: DeviceKindId,
    { id, ownedSince }: { id: string; ownedSince: Date | null },
  ): Promise<KindFigures["day"]> => {
    const channels = (curvesOf[kind] ?? []).flatMap((key) => channelOf(kind, key) ?? []);
    const [first] = channels;
    if (first === undefined) return undefined;
    const endMs = Math.floor(now() / hourMs) * hourMs;
    const fromMs = Math.max(endMs - shownHours * hourMs, ownedSince?.getTime() ?? 0);
    const rows = await devices.hoursOf(
      id,
      channels.map(({ key }) => key),
      new Date(fromMs),
    );
    const series = channels.map(({ key, name }) => ({
      key,
      name,
      points: rows.flatMap((row): [number, number][] =>
        row.key === key && row.atMs < endMs ? [[row.atMs, row.mean]] : [],
      ),
    }));
    if ((series[0]?.points.length ?? 0) < 2) return undefined;
    return { endMs, unit: localUnit(first.unit), decimals: first.decimals, series };
  };
  /** The day that is held of this very device, or what is read now. */
  const dayOf = (kind: DeviceKindId, device: { id: string; ownedSince: Date | null }): Promise<KindFigures["day"]> => {
    const former = heldDays.get(kind);
    const held = kept(former?.deviceId === device.id ? former : undefined, () => readDay(kind, device), dayFreshForMs);
    heldDays.set(kind, Object.assign(held, { deviceId: device.id }));
    return held.figures;
  };

  const readKind = async (kind: DeviceKindId): Promise<KindFigures> => {
    const device = await devices.showcaseOf(kind);
    const readings = device?.readings ?? {};
    const shown = (deviceKinds[kind].pages?.figures ?? []).flatMap((key) => {
      const [channel, reading] = [channelOf(kind, key), readings[key]];
      return channel !== undefined && typeof reading?.value === "number"
        ? [{ channel, value: reading.value, ts: reading.ts }]
        : [];
    });
    const day = device && (await dayOf(kind, device));
    return {
      ...(day && { day }),
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
