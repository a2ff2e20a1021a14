/** Detectors: whether a statistical condition holds, from the history of the device. */
import type { Channel, DetectorCondition, DetectorName, DetectorParameters, DeviceKind } from "./device-kind.ts";
import {
  deviationOf,
  floorHour,
  growthIn,
  type History,
  type HourOfValues,
  hourBefore,
  hoursIn,
  type KeptEvent,
  meanIn,
  meanOf,
  medianOf,
  rejectedNow,
} from "./history.ts";
import { minuteOfDay } from "./validation.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Minimum deviation of a baseline as a share of its mean; without it, after two uniform weeks every cough would be an alarm. */
const leastDeviation = 0.1;

/** Input of a detector. */
export type DetectorView = {
  readonly kind: DeviceKind;
  readonly history: History;
  /** The moment that is judged. */
  readonly atMs: number;
  /** When the device was first and last heard of, by the server's clock. */
  readonly firstHeardMs: number | undefined;
  readonly lastHeardMs: number | undefined;
  /** The oldest and newest time of its telemetry that was judged, by the device's clock. */
  readonly firstMs: number | undefined;
  readonly newestMs: number | undefined;
  readonly nowMs: number;
  /** The event that is being judged; detectors about one event answer only for it. */
  readonly event: { readonly type: string; readonly kept: KeptEvent } | undefined;
  /** Minutes that the farm's clock is ahead of UTC. */
  readonly utcOffsetMinutes: number;
  readonly targetFirmware: string | undefined;
  /** Due times of planned work, by name. */
  readonly dueAtMs: Readonly<Record<string, number>>;
  /** Time since which the firmware differs from the assigned one. */
  readonly otherFirmwareSinceMs: number | undefined;
};

type Answer = boolean | undefined;
type Detector<Name extends DetectorName> = (
  view: DetectorView,
  over: readonly string[],
  parameters: DetectorParameters[Name],
) => Answer;

/** True when any part is true; undefined when none can be evaluated. */
function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes(true)) return true;
  return answers.includes(false) ? false : undefined;
}

/** As `anyOf` over all keys without allocating a list, because it runs with every message. */
function anyOver(keys: readonly string[], of: (key: string) => Answer): Answer {
  let answer: Answer;
  for (const key of keys) {
    const told = of(key);
    if (told === true) return true;
    if (told === false) answer = false;
  }
  return answer;
}

/** A kind's channels by key, cached because detectors run with every message. */
const channelsByKind = new WeakMap<DeviceKind, Map<string, Channel>>();
function channelOf(kind: DeviceKind, key: string): Channel | undefined {
  let channels = channelsByKind.get(kind);
  if (channels === undefined) {
    channels = new Map(kind.channels.map((channel) => [channel.key, channel]));
    channelsByKind.set(kind, channels);
  }
  return channels.get(key);
}

/** Milliseconds for which a reading counts as the current value: three of its intervals. */
export function knownForMs(kind: DeviceKind, key: string): number {
  return 3 * Math.max(channelOf(kind, key)?.intervalS ?? 0, kind.reportIntervalS) * 1000;
}

/** Results of `unknownAfterMs`, cached because it runs with every message. */
const unknownAfterByKind = new WeakMap<DeviceKind, WeakMap<readonly string[], number>>();

/**
 * Milliseconds without an accepted reading of any of these values after which they are unknown: three intervals of the most
 * frequent one.
 * @param keys a list that is never changed, because the result is cached by it
 */
export function unknownAfterMs(kind: DeviceKind, keys: readonly string[]): number {
  let ofKind = unknownAfterByKind.get(kind);
  if (ofKind === undefined) {
    ofKind = new WeakMap();
    unknownAfterByKind.set(kind, ofKind);
  }
  let afterMs = ofKind.get(keys);
  if (afterMs === undefined) {
    afterMs = Math.min(...keys.map((key) => knownForMs(kind, key)));
    ofKind.set(keys, afterMs);
  }
  return afterMs;
}

/** Time of the newest accepted reading of any of these values, ms since 1970; -Infinity for none. */
export function knownSinceMs({ values }: History, keys: readonly string[]): number {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const key of keys) newestMs = Math.max(newestMs, values[key]?.atMs ?? Number.NEGATIVE_INFINITY);
  return newestMs;
}

const isFresh = ({ kind, history, atMs }: DetectorView, key: string): boolean => {
  const newest = history.values[key];
  return newest !== undefined && atMs - newest.atMs < knownForMs(kind, key);
};

/** For each key the group of keys that an `unknown` rule of the kind covers together. */
const groupsByKind = new WeakMap<DeviceKind, Map<string, readonly string[]>>();
function unknownGroups(kind: DeviceKind): Map<string, readonly string[]> {
  let groups = groupsByKind.get(kind);
  if (groups === undefined) {
    groups = new Map();
    for (const { condition } of kind.alarmRules) {
      if (condition.type !== "detector" || condition.detector !== "unknown") continue;
      for (const key of condition.over) groups.set(key, condition.over);
    }
    groupsByKind.set(kind, groups);
  }
  return groups;
}

const isCounter = (kind: DeviceKind, key: string): boolean => channelOf(kind, key)?.cumulative === true;

/** Value of a window: the growth of a counter, else the mean; undefined where less than half of its hours have a value. */
function windowValue({ kind, history }: DetectorView, key: string, fromMs: number, toMs: number): number | undefined {
  if (!isCounter(kind, key)) return meanIn(history, key, fromMs, toMs);
  if (hoursIn(history, key, fromMs, toMs).length * 2 * hourMs < toMs - fromMs) return undefined;
  return growthIn(history, key, fromMs, toMs);
}

/** Values of the windows that have one; undefined where fewer than half of them do, because the baseline is not learnt yet. */
function baselineOf(
  view: DetectorView,
  key: string,
  windows: readonly (readonly [fromMs: number, toMs: number])[],
): number[] | undefined {
  const values = windows.flatMap(([from, to]) => windowValue(view, key, from, to) ?? []);
  return values.length >= 2 && values.length * 2 >= windows.length ? values : undefined;
}

const daysBefore = (days: number, fromMs: number, toMs: number): [number, number][] =>
  Array.from({ length: days }, (_, day) => [fromMs - (day + 1) * dayMs, toMs - (day + 1) * dayMs]);

const windowsBefore = (endMs: number, lengthMs: number, earliestMs: number): [number, number][] => {
  const windows: [number, number][] = [];
  for (let to = endMs; to - lengthMs >= earliestMs; to -= lengthMs) windows.push([to - lengthMs, to]);
  return windows;
};

/** Events in the order of time; those of one type, which may be thousands, are stored in that order. */
function eventsOf({ history }: DetectorView, over: readonly string[]): readonly KeptEvent[] {
  const [only = "", ...others] = over;
  if (others.length === 0) return history.events[only] ?? [];
  return over.flatMap((type) => history.events[type] ?? []).toSorted((a, b) => a.atMs - b.atMs);
}

/** Whether the device has sent nothing for more than three of its report intervals. */
const isSilent = ({ kind, nowMs, lastHeardMs }: DetectorView): boolean =>
  lastHeardMs !== undefined && nowMs - lastHeardMs > 3 * kind.reportIntervalS * 1000;

const detectors: { readonly [Name in DetectorName]: Detector<Name> } = {
  silence(view, over, { after_s }) {
    const { history, nowMs, lastHeardMs } = view;
    // When the whole device is silent, its own alarm reports that, so no single value is reported as silent.
    if (over.length > 0 && isSilent(view)) return undefined;
    const heard = over.length === 0 ? [lastHeardMs] : over.map((key) => history.values[key]?.atMs);
    return anyOf(heard.map((atMs) => (atMs === undefined ? undefined : nowMs - atMs > after_s * 1000)));
  },

  stuck({ history, atMs }, over, { window_s, deviation_below }) {
    // The current hour counts as well, so that a moving value is noticed at once.
    const to = floorHour(atMs) + hourMs;
    const from = to - window_s * 1000;
    return anyOver(over, (key) => {
      const hours = history.hours[key];
      if (hours === undefined) return undefined;
      let begun = false;
      let highest = Number.NEGATIVE_INFINITY;
      let lowest = Number.POSITIVE_INFINITY;
      // Starts with the newest hour, because two weeks of hours may lie before the window.
      for (let at = hours.length - 1; at >= 0; at -= 1) {
        const { startMs, max, min } = hours[at] as HourOfValues;
        if (startMs < from) break;
        if (startMs >= to) continue;
        begun ||= startMs === from;
        highest = Math.max(highest, max);
        lowest = Math.min(lowest, min);
      }
      return begun ? highest - lowest <= deviation_below : undefined;
    });
  },

  "out-of-range": (view, over) =>
    anyOver(over, (key) => {
      const { history, atMs, kind } = view;
      const rejected = rejectedNow(history, key);
      if (rejected === undefined) return history.values[key] === undefined ? undefined : false;
      const group = unknownGroups(kind).get(key);
      if (group?.every((other) => !isFresh(view, other))) return false;
      return atMs - rejected.atMs < knownForMs(kind, key) ? true : undefined;
    }),

  unknown(view, over, { always }) {
    const { history, atMs, firstMs, newestMs, kind } = view;
    const knownMs = knownSinceMs(history, over);
    const isSent = knownMs > Number.NEGATIVE_INFINITY || over.some((key) => history.rejects[key] !== undefined);
    if (!isSent && always !== "yes") return false;
    const sinceMs = Number.isFinite(knownMs) ? knownMs : firstMs;
    if (sinceMs === undefined || newestMs === undefined) return undefined;
    if (atMs - sinceMs < unknownAfterMs(kind, over)) return false;
    // When the device sends nothing at all, the alarm is that it is offline.
    return newestMs - sinceMs >= unknownAfterMs(kind, over) / 3 ? true : undefined;
  },

  "baseline-sigma"(view, over, { baseline_days, windows, window_s = 3600, same_hour, sigmas, above_k }) {
    const length = window_s * 1000;
    const end = floorHour(view.atMs);
    const present = Array.from({ length: windows }, (_, at): [number, number] => [
      end - (at + 1) * length,
      end - at * length,
    ]);
    const exceeds = (key: string, [from, to]: [number, number]): Answer => {
      const value = windowValue(view, key, from, to);
      const earlier =
        same_hour === "yes"
          ? daysBefore(baseline_days, from, to)
          : windowsBefore(end - windows * length, length, end - baseline_days * dayMs);
      const baseline = baselineOf(view, key, earlier);
      if (value === undefined || baseline === undefined) return undefined;
      const usual = meanOf(baseline);
      if (above_k !== undefined) return value > usual + above_k;
      return value > usual + (sigmas ?? 0) * Math.max(deviationOf(baseline), leastDeviation * Math.abs(usual));
    };
    return anyOf(
      over.map((key) => {
        const answers = present.map((window) => exceeds(key, window));
        if (answers.includes(false)) return false;
        return answers.includes(undefined) ? undefined : true;
      }),
    );
  },

  "baseline-ratio"(view, over, { baseline_days, against, above, below, window_s, from, to }) {
    const end = floorHour(view.atMs);
    let window: [number, number] | undefined;
    let earlier: [number, number][] = [];
    if (window_s !== undefined) {
      window = [end - window_s * 1000, end];
      earlier = windowsBefore(window[0], window_s * 1000, end - baseline_days * dayMs);
    } else {
      const [begin, finish] = [minuteOfDay(from ?? ""), minuteOfDay(to ?? "")];
      if (begin === undefined || finish === undefined) return undefined;
      const local = (view.atMs + view.utcOffsetMinutes * 60_000) % dayMs;
      const since = (local - begin * 60_000 + dayMs) % dayMs;
      const span = ((finish - begin) * 60_000 + dayMs) % dayMs;
      // Outside its part of the day there is nothing to compare.
      if (since >= span) return false;
      window = [view.atMs - since, end];
      if (window[1] - window[0] < hourMs) return undefined;
      earlier = daysBefore(baseline_days, ...window);
    }
    const [start, stop] = window;
    return anyOf(
      over.map((key) => {
        const value = windowValue(view, key, start, stop);
        const baseline = baselineOf(view, key, earlier);
        if (value === undefined || baseline === undefined) return undefined;
        const usual = against === "median" ? medianOf(baseline) : meanOf(baseline);
        // A baseline of zero has no multiple.
        if (usual <= 0) return undefined;
        return above === undefined ? value < (below ?? 0) * usual : value > above * usual;
      }),
    );
  },

  "share-of-last"(view, over, { field, of, last, above_percent }) {
    const events = eventsOf(view, over).slice(-last);
    if (events.length < last) return undefined;
    const words = of.split("|");
    const found = events.filter(({ fields }) => words.includes(String(fields[field]))).length;
    return (found / last) * 100 > above_percent;
  },

  coverage({ history, atMs, firstHeardMs }, over, { window_s, least_percent }) {
    const to = floorHour(atMs);
    const from = to - window_s * 1000;
    if (firstHeardMs === undefined || firstHeardMs > from) return undefined;
    const all = (to - from) / hourMs;
    return over.some((key) => (hoursIn(history, key, from, to).length / all) * 100 < least_percent);
  },

  repeat({ history, event }, over, { field, window_s }) {
    if (event === undefined || !over.includes(event.type)) return false;
    const { atMs, fields } = event.kept;
    const value = fields[field];
    if (value === undefined || value === "") return false;
    return (history.events[event.type] ?? []).some(
      (other) =>
        other !== event.kept &&
        other.fields[field] === value &&
        other.atMs <= atMs &&
        atMs - other.atMs <= window_s * 1000,
    );
  },

  gap(view, over, { field, every_s }) {
    const events = eventsOf(view, over);
    if (field === undefined) {
      // Whether a silent device writes its records is only known once it is back.
      if (isSilent(view)) return undefined;
      const last = events.at(-1)?.atMs ?? view.firstHeardMs;
      // Half an interval of grace, so that a late record is not reported as missing.
      return last === undefined ? undefined : view.nowMs - last > (every_s ?? 0) * 1500;
    }
    if (view.event === undefined || !over.includes(view.event.type)) return false;
    const before = events[events.indexOf(view.event.kept) - 1]?.fields[field];
    const number = view.event.kept.fields[field];
    return typeof before === "number" && typeof number === "number" ? number - before > 1 : undefined;
  },

  overdue(view, over, { after_s }) {
    return anyOf(
      over.map((name) => {
        const planned = view.dueAtMs[name];
        const since = planned ?? view.history.events[name]?.at(-1)?.atMs;
        return since === undefined ? undefined : view.nowMs - since > after_s * 1000;
      }),
    );
  },

  "mass-balance"({ kind, history, atMs }, over, { window_s, beyond_percent }) {
    const to = floorHour(atMs);
    const from = to - window_s * 1000;
    // Change of each key from hour to hour, by the hour in which it ended.
    const steps = over.map((key) => {
      const hours = hoursIn(history, key, from, to);
      const known = hourBefore(history, key, from) ?? hours[0];
      if (known === undefined || known.startMs > from + hourMs) return undefined;
      const byHour = new Map<number, number>();
      let before = known.startMs < from ? known.last : known.first;
      for (const { startMs, last } of hours) {
        byHour.set(startMs, last - before);
        before = last;
      }
      return { counter: isCounter(kind, key), byHour };
    });
    if (steps.some((each) => each === undefined)) return undefined;
    const known = steps.flatMap((each) => each ?? []);
    // Hours to leave out: while a tank is filled its outflow is unknown, and a meter that steps back is a new one.
    const untold = new Set(
      known.flatMap(({ counter, byHour }) =>
        [...byHour].flatMap(([startMs, step]) => ((counter ? step < 0 : step > 0) ? startMs : [])),
      ),
    );
    let [left, passed] = [0, 0];
    for (const { counter, byHour } of known) {
      for (const [startMs, step] of byHour) {
        if (counter) passed += untold.has(startMs) ? 0 : step;
        else left -= untold.has(startMs) ? 0 : step;
      }
    }
    return passed <= 0 ? undefined : (Math.abs(left - passed) / passed) * 100 > beyond_percent;
  },

  "window-mean"(view, over, { field, last, beyond_percent }) {
    const values = eventsOf(view, over)
      .slice(-last)
      .map(({ fields }) => fields[field])
      .filter((value) => typeof value === "number");
    return values.length < last ? undefined : Math.abs(meanOf(values)) > beyond_percent;
  },

  "firmware-differs"({ history, targetFirmware, otherFirmwareSinceMs, atMs }, over, { after_s }) {
    if (targetFirmware === undefined || over.every((key) => history.values[key] === undefined)) return undefined;
    return otherFirmwareSinceMs !== undefined && atMs - otherFirmwareSinceMs >= after_s * 1000;
  },
};

/** Whether a detector's condition holds; undefined when its history does not tell. */
export function detectorHolds(view: DetectorView, condition: DetectorCondition): boolean | undefined {
  const detector = detectors[condition.detector] as Detector<DetectorName>;
  return detector(view, condition.over, condition.parameters);
}

/** Whether the answer can only change at a full hour, as long as earlier hours stay unchanged. */
export const seesWholeHours = ({ detector, parameters }: DetectorCondition): boolean =>
  detector === "baseline-sigma" ||
  detector === "mass-balance" ||
  (detector === "baseline-ratio" && parameters.window_s !== undefined);

/** Number of hours that a condition's detector looks back on, and number of events that it needs. */
export function reachOf({ detector, parameters }: DetectorCondition): { hours: number; events: number } {
  const held: Readonly<Record<string, unknown>> = parameters;
  const number = (key: string): number => (typeof held[key] === "number" ? held[key] : 0);
  // A part of the day is compared with that of earlier days, which may begin one day before the baseline.
  const partOfDay = typeof held.from === "string" ? 24 : 0;
  const window = Math.ceil((number("window_s") * Math.max(1, number("windows"))) / 3600);
  return {
    hours: number("baseline_days") * 24 + partOfDay + window + 2,
    events: detector === "repeat" ? 5000 : Math.max(2, number("last")),
  };
}
