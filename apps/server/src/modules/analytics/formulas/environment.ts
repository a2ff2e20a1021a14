import {
  climateTarget,
  environment,
  type FanTableRow,
  fanCount,
  fullFans,
  gearFor,
  gearForVentilation,
  gearTable,
  isUsual,
  isWithinLimits,
  rangeOf,
  thi,
  thiBand,
  thiBands,
} from "@herdwise/device-kinds";
import {
  type AnalyticInput,
  daysInTurn,
  eachMinute,
  figure,
  hourMs,
  increase,
  type KindFormulas,
  mean,
  minuteGrid,
  minuteMs,
  numberOf,
  percent,
  textOf,
} from "./formula.ts";

/** A controller counts as following its table when it is at most so many gears off. */
const gearTolerance = 1;
/** Degrees from the target within which no degree-hours are counted, K. */
const freeKelvin = 3;
/** Ammonia beyond it counts. */
const ammoniaRange = rangeOf(environment, "nh3", {}, { ageS: 0 });
/** A probe further from the mean than this tells of itself, K. */
const probeKelvin = 2;
/** Days of which fewer hours are known say nothing of light. */
const leastLightHours = 20;

const probes = ["t1", "t2", "t3", "t4"] as const;
const roundHours = (minutes: number): number => minutes / 60;

/** What is on or off by records: the state at each time. @returns whether it is on at `ms`, for rising times */
function switchOf(events: AnalyticInput["events"], on: string, off: string): (ms: number) => boolean {
  const changes = events.filter(({ type }) => type === on || type === off);
  let at = 0;
  // Before the first record it was the other way.
  let state = changes[0]?.type === off;
  return (ms) => {
    for (let next = changes[at]; next !== undefined && next.ts <= ms; at += 1, next = changes[at])
      state = next.type === on;
    return state;
  };
}

/** The mode of the unit at rising times: by the records of its changes, else as it is now. */
function modeOf({ events, units }: AnalyticInput): (ms: number) => string {
  const changes = events.filter(({ type }) => type === "mode_change");
  let at = 0;
  let mode = textOf(changes[0]?.body.from) || (changes.length === 0 ? units[0]?.mode : undefined) || "normal";
  return (ms) => {
    for (let next = changes[at]; next !== undefined && next.ts <= ms; at += 1, next = changes[at])
      mode = textOf(next.body.to) || mode;
    return mode;
  };
}

const isRow = (row: unknown): row is FanTableRow =>
  typeof row === "object" &&
  row !== null &&
  ["gear", "t_up", "t_down"].every((key) => typeof (row as Record<string, unknown>)[key] === "number");

/** Heads at a time: as the controller was told, else as the books have them now. */
function headsOf(input: AnalyticInput): (ms: number) => number {
  const told = minuteGrid(input, "pigs");
  const first = Math.floor(input.startMs / minuteMs);
  return (ms) => {
    const heads = told[Math.floor(ms / minuteMs) - first] ?? Number.NaN;
    return Number.isNaN(heads) ? input.pigs : heads;
  };
}

/** The gears by the target: as they are set, else as controllers make them of it. */
function tableOf({ parameter, isSet }: AnalyticInput): (target: number) => readonly FanTableRow[] {
  const given = parameter("fan_table");
  const rows = (Array.isArray(given) ? given : []).filter(isRow);
  if (isSet("fan_table") && rows.length > 0) return () => rows;
  const made = new Map<number, FanTableRow[]>();
  return (target) => {
    const table = made.get(target) ?? gearTable(target);
    made.set(target, table);
    return table;
  };
}

/** The gear that the table has for a temperature, or the higher one that the least air needs, by what the fans move now. */
function gearWanted(t: number, gear: number, vent: number, air: number, table: readonly FanTableRow[]): number {
  const wanted = gearFor(t, gear, table);
  const now = table.find((row) => row.gear === gear);
  const fans = now === undefined ? 0 : fullFans(now);
  if (fans <= 0 || vent <= 0) return wanted;
  return Math.max(wanted, gearForVentilation(air, vent / fans, table));
}

/** Least air in m³/h; undefined where a weight that it goes by is not known. */
function leastAir({ parameter, units }: AnalyticInput): ((pigs: number) => number) | undefined {
  const setting = (parameter("min_ventilation") ?? {}) as { basis?: unknown; value?: unknown };
  const value = numberOf(setting.value) ?? 0;
  if (setting.basis === "percent") {
    const fanM3h = numberOf(parameter("fan_capacity")) ?? 0;
    return () => (value / 100) * fanM3h * fanCount;
  }
  if (setting.basis === "head") return (pigs) => value * pigs;
  const weightKg = units[0]?.weightKg;
  return weightKg === undefined ? undefined : (pigs) => value * weightKg * pigs;
}

const minuteOfDay = (text: unknown): number => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(textOf(text)) ?? [];
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
};

/** Days that had the light they should have: the wanted light for the wanted time, of the lighting that is set, else of the table. */
function lightDays(input: AnalyticInput): { label: string; value: number; count: number }[] {
  const { units, parameter, isSet } = input;
  const target = climateTarget(units[0]?.pigstyType ?? "fattening", units[0]?.weightKg);
  const groups = isSet("lighting") ? parameter("lighting") : [];
  const set = (Array.isArray(groups) ? groups : []).flatMap((row: unknown) => {
    const { on, off, lux } = (row ?? {}) as { on?: unknown; off?: unknown; lux?: unknown };
    const span = minuteOfDay(off) - minuteOfDay(on);
    return Number.isNaN(span) ? [] : [{ minutes: span, lux: numberOf(lux) ?? 0 }];
  });
  // Circuits may overlap: the day is as long as the longest of them.
  const wantedMinutes = set.length > 0 ? Math.max(...set.map(({ minutes }) => minutes)) : target.lightHours[0] * 60;
  const wantedLux = set.length > 0 ? Math.min(...set.map(({ lux }) => lux)) : target.lightLux[0];
  const days = new Map<string, { known: number; lit: number }>();
  const dayOf = daysInTurn();
  eachMinute(input, ["lux"], ([lux = 0], ts) => {
    const label = dayOf(ts);
    const day = days.get(label) ?? { known: 0, lit: 0 };
    days.set(label, day);
    day.known += 1;
    // A lamp is as bright as it is set within a tenth.
    if (lux >= wantedLux * 0.9) day.lit += 1;
  });
  return [...days]
    .filter(([, { known }]) => known >= leastLightHours * 60)
    .map(([label, { known, lit }]) => ({
      label,
      value: Math.min(100, wantedMinutes === 0 ? 100 : (lit / (wantedMinutes * 0.95)) * 100),
      count: known,
    }));
}

/** Climate of a unit: how long it was as it should be, whether its controller did what it was set to, and what that took. */
export const environmentFormulas: KindFormulas = {
  kind: "environment",
  events: ["mode_change", "manual_override_start", "manual_override_end"],
  keys: ["t_in", ...probes, "rh", "nh3", "gear", "vent", "lux", "water", "kwh", "t_target", "pigs"],
  compute(input: AnalyticInput) {
    const { units, series, events, startMs, endMs, pigs } = input;
    const pigsty = units[0]?.pigstyType ?? "fattening";
    const climate = rangeOf(environment, "t_in", {}, { ageS: 0, pigstyType: pigsty, weightKg: units[0]?.weightKg });

    const heads = headsOf(input);
    let housed = 0;
    let comfortable = 0;
    const comfortMode = modeOf(input);
    eachMinute(input, ["t_in"], ([t = 0], ts) => {
      if (heads(ts) <= 0 || comfortMode(ts) !== "normal") return;
      housed += 1;
      if (isUsual(climate, t)) comfortable += 1;
    });

    const bands = new Map(thiBands.map(({ band }) => [band as string, 0]));
    let indexed = 0;
    let hot = 0;
    eachMinute(input, ["t_in", "rh"], ([t = 0, rh = 0]) => {
      const index = thi(t, rh);
      const band = thiBand(index);
      indexed += 1;
      bands.set(band, (bands.get(band) ?? 0) + 1);
      if (band !== "normal") hot += 1;
    });

    const tableAt = tableOf(input);
    const least = leastAir(input);
    let aired = 0;
    let compliant = 0;
    const ventilationMode = modeOf(input);
    if (least !== undefined) {
      eachMinute(input, ["t_in", "t_target", "gear", "vent"], ([t = 0, target = 0, gear = 0, vent = 0], ts) => {
        if (heads(ts) <= 0 || ventilationMode(ts) !== "normal") return;
        aired += 1;
        const air = least(heads(ts));
        const wanted = gearWanted(t, gear, vent, air, tableAt(target));
        if (Math.abs(gear - wanted) <= gearTolerance && vent >= air) compliant += 1;
      });
    }

    const gears = new Map<number, number>();
    eachMinute(input, ["gear"], ([gear = 0]) => gears.set(Math.round(gear), (gears.get(Math.round(gear)) ?? 0) + 1));

    let above = 0;
    let below = 0;
    let degreed = 0;
    eachMinute(input, ["t_in", "t_target"], ([t = 0, target = 0]) => {
      degreed += 1;
      above += Math.max(0, t - target - freeKelvin) / 60;
      below += Math.max(0, target - t - freeKelvin) / 60;
    });

    const days = new Map<string, { low: number; high: number; count: number }>();
    const dayOf = daysInTurn();
    eachMinute(input, ["t_in"], ([t = 0], ts) => {
      const label = dayOf(ts);
      const day = days.get(label) ?? { low: t, high: t, count: 0 };
      days.set(label, { low: Math.min(day.low, t), high: Math.max(day.high, t), count: day.count + 1 });
    });
    const ranges = [...days].map(([label, { low, high, count }]) => ({ label, value: high - low, count }));

    const meanHeads = mean([...minuteGrid(input, "pigs")].filter((count) => !Number.isNaN(count))) ?? pigs;
    /** What a counter came to for a pig and a day of the time that it covers. */
    const perPigDay = (key: string): number | undefined => {
      const points = series.get(key);
      const grown = increase(points);
      const covered = ((points?.at(-1)?.[0] ?? 0) - (points?.[0]?.[0] ?? 0)) / (24 * hourMs);
      return grown === undefined || meanHeads <= 0 || covered < 0.25 ? undefined : grown / (meanHeads * covered);
    };

    let gassed = 0;
    let stuffy = 0;
    eachMinute(input, ["nh3"], ([nh3 = 0]) => {
      gassed += 1;
      if (!isWithinLimits(ammoniaRange, nh3)) stuffy += 1;
    });

    const byHand = switchOf(events, "manual_override_start", "manual_override_end");
    let manual = 0;
    for (let ms = startMs; ms < endMs; ms += minuteMs) if (byHand(ms)) manual += 1;

    const health = probes.flatMap((key, index) => {
      let known = 0;
      let good = 0;
      eachMinute(input, [key, "t_in"], ([probe = 0, average = 0]) => {
        known += 1;
        // What its sensor cannot tell was rejected before.
        if (Math.abs(probe - average) <= probeKelvin) good += 1;
      });
      return known === 0 ? [] : [{ label: String(index + 1), value: (good / known) * 100, count: known }];
    });

    const light = lightDays(input);
    return [
      figure("comfort_time", percent(comfortable, housed), housed),
      figure(
        "thi_hours",
        roundHours(hot),
        indexed,
        indexed === 0 ? [] : [...bands].map(([label, count]) => ({ label, value: roundHours(count), count })),
      ),
      figure("ventilation_compliance", percent(compliant, aired), aired),
      figure(
        "gear_histogram",
        [...gears].toSorted(([, a], [, b]) => b - a)[0]?.[1] === undefined
          ? undefined
          : roundHours(Math.max(...gears.values())),
        [...gears.values()].reduce((all, count) => all + count, 0),
        [...gears]
          .toSorted(([a], [b]) => a - b)
          .map(([gear, count]) => ({ label: String(gear), value: roundHours(count), count })),
      ),
      figure(
        "degree_hours",
        above + below,
        degreed,
        degreed === 0
          ? []
          : [
              { label: "above", value: above, count: degreed },
              { label: "below", value: below, count: degreed },
            ],
      ),
      figure(
        "daily_range",
        ranges.length === 0 ? undefined : Math.max(...ranges.map(({ value }) => value)),
        ranges.length,
        ranges,
      ),
      figure("energy_per_pig_day", perPigDay("kwh"), series.get("kwh")?.length ?? 0),
      figure("water_per_pig_day", perPigDay("water"), series.get("water")?.length ?? 0),
      figure("ammonia_hours", roundHours(stuffy), gassed),
      // Who never told of an override and reports had none.
      figure("override_hours", roundHours(manual), series.get("gear")?.length ?? 0),
      figure(
        "probe_health",
        health.length === 0 ? undefined : Math.min(...health.map(({ value }) => value)),
        health.length,
        health.toSorted((a, b) => a.value - b.value),
      ),
      figure(
        "light_compliance",
        percent(light.filter(({ value }) => value >= 100).length, light.length),
        light.length,
        light,
      ),
    ];
  },
};
