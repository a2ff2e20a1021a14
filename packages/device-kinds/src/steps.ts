/**
 * Rejection of implausible jumps. A value with inertia changes no faster than its channel declares.
 * A larger jump (a probe that reads 0.0 on a long wire, or 85.0 after power-on) is accepted once three readings in a row agree
 * on it, and then from the first of them on.
 */
import { type AcceptedReadings, type RejectedReading, rejectedText } from "./acceptance.ts";
import type { DeviceKind } from "./device-kind.ts";

/** Readings in a row that must agree before a jump is accepted. */
const believedInARow = 3;
/**
 * Readings of a channel that are remembered; a reading that arrives up to this many messages late is judged at its place among
 * them.
 */
const remembered = 8;
const minuteMs = 60_000;
/**
 * Held readings agree when they differ by at most this multiple of the normal change, because a real jump may still be in
 * progress.
 */
const underWay = 2;
/** Tolerance for floating point: 24.4 - 21.4 is slightly more than 3. */
const rounding = 1e-9;

interface SteppedReading {
  atMs: number;
  value: number;
  accepted: boolean;
}

/** A channel with inertia. */
export type SteppedChannel = {
  readonly key: string;
  /** Largest change of the value per minute. */
  readonly perMinute: number;
};

/** The channels of a kind that have inertia. */
export const steppedChannels = ({ channels }: DeviceKind): SteppedChannel[] =>
  channels.flatMap(({ key, maxChangePerMinute: perMinute }) => (perMinute === undefined ? [] : [{ key, perMinute }]));

/** A reading with its time, ms since 1970. */
export type TimedNumber = { readonly atMs: number; readonly value: number };

/** A reading that was rejected as a jump when it arrived, and is now accepted. */
export type BelievedReading = TimedNumber & { readonly key: string };

type OnBelieved = (atMs: number, value: number) => void;

/** Consecutive readings without a known gap, in the order of their times. */
class StepWindow {
  readonly #perMinute: number;
  readonly #readings: SteppedReading[] = [];
  /** The first accepted reading after the window. */
  readonly #next: SteppedReading | undefined;

  constructor(perMinute: number, next?: SteppedReading) {
    this.#perMinute = perMinute;
    this.#next = next;
  }

  get oldestMs(): number {
    return this.#readings[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  get firstAccepted(): SteppedReading | undefined {
    return this.#readings.find(({ accepted }) => accepted);
  }

  /** @param sinceMs the time of the adjacent reading, so that a long series of false readings does not allow a larger jump */
  #agree(a: SteppedReading, b: SteppedReading, sinceMs = a.atMs, times = 1): boolean {
    // Within a minute a value may change as much as in a whole minute, because readings are rounded and sensors answer in
    // steps.
    const minutes = Math.max(1, Math.abs(b.atMs - sinceMs) / minuteMs);
    return Math.abs(b.value - a.value) <= this.#perMinute * times * minutes + rounding;
  }

  take(atMs: number, value: number, onBelieved: OnBelieved): boolean {
    const readings = this.#readings;
    let place = readings.length;
    while (place > 0 && (readings[place - 1] as SteppedReading).atMs >= atMs) place -= 1;
    const same = readings[place];
    // Of two readings of the same time the first is kept.
    if (same?.atMs === atMs) return same.accepted;
    const reading: SteppedReading = { atMs, value, accepted: false };
    const before = readings[place - 1];
    if (place === readings.length && before?.accepted === true && this.#agree(before, reading)) {
      reading.accepted = true;
      readings.push(reading);
    } else {
      readings.splice(place, 0, reading);
      this.#settle(place, reading, onBelieved);
    }
    if (readings.length > remembered) this.#forgetOne();
    return reading.accepted;
  }

  /** Judges the readings from an index on, in their order; an accepted reading stays accepted. */
  #settle(place: number, fresh: SteppedReading, onBelieved: OnBelieved): void {
    const readings = this.#readings;
    let baseAt = place - 1;
    while (baseAt >= 0 && readings[baseAt]?.accepted !== true) baseAt -= 1;
    let base = readings[baseAt];
    let inARow = 0;
    const accept = (reading: SteppedReading): void => {
      reading.accepted = true;
      if (reading !== fresh) onBelieved(reading.atMs, reading.value);
    };
    for (let at = baseAt + 1; at < readings.length; at += 1) {
      const reading = readings[at] as SteppedReading;
      const neighbour = base ?? readings.find((later) => later.accepted) ?? this.#next;
      const sinceMs = base && readings[at - 1]?.atMs;
      if (reading.accepted) inARow = 0;
      else if (neighbour === undefined || this.#agree(neighbour, reading, sinceMs)) {
        accept(reading);
        inARow = 0;
      } else {
        const held = inARow > 0 ? readings[at - 1] : undefined;
        inARow = held !== undefined && this.#agree(held, reading, held.atMs, underWay) ? inARow + 1 : 1;
        if (inARow < believedInARow) continue;
        for (const one of readings.slice(at + 1 - inARow, at + 1)) accept(one);
        inARow = 0;
      }
      base = reading;
    }
  }

  /** Removes the oldest reading, unless it is the only accepted one. */
  #forgetOne(): void {
    const isNeeded = this.#readings.findLastIndex(({ accepted }) => accepted) === 0;
    if (isNeeded) this.#readings.splice(1, 1);
    else this.#readings.shift();
  }
}

/** The readings of one channel of one device in the order of arrival. */
class ChannelSteps {
  readonly #perMinute: number;
  readonly #present: StepWindow;
  /** Readings from before the remembered ones, such as those of a night without a network. */
  #late: StepWindow | undefined;

  /**
   * @param perMinute largest change of the channel's values per minute
   * @param last the newest reading that was accepted earlier, where one is known
   */
  constructor(perMinute: number, last?: TimedNumber) {
    this.#perMinute = perMinute;
    this.#present = new StepWindow(perMinute);
    if (last !== undefined) this.#present.take(last.atMs, last.value, () => undefined);
  }

  /** @returns whether the reading is accepted */
  take(atMs: number, value: number, onBelieved: OnBelieved): boolean {
    const present = this.#present;
    if (present.oldestMs === Number.POSITIVE_INFINITY || atMs >= present.oldestMs)
      return present.take(atMs, value, onBelieved);
    if (this.#late === undefined || atMs < this.#late.oldestMs) {
      const next = this.#late?.firstAccepted ?? present.firstAccepted;
      this.#late = new StepWindow(this.#perMinute, next);
    }
    return this.#late.take(atMs, value, onBelieved);
  }
}

/** Rejects jumps in the readings of a message; `believed` has readings of earlier messages that are now accepted. */
export type Steps = (
  atMs: number,
  readings: AcceptedReadings,
) => { readonly readings: AcceptedReadings; readonly believed: readonly BelievedReading[] };

/** Shared empty list, because nearly no message accepts earlier readings. */
const noneBelieved: readonly BelievedReading[] = [];

/**
 * Makes the jump check of one device, which is called for every message in the order of arrival.
 * @param newest the newest readings that were accepted earlier, by key
 */
export function createSteps(channels: readonly SteppedChannel[], newest: ReadonlyMap<string, TimedNumber>): Steps {
  const stepped = channels.map(({ key, perMinute }) => ({ key, of: new ChannelSteps(perMinute, newest.get(key)) }));
  return (atMs, readings) => {
    let believed = noneBelieved;
    let jumps: Record<string, RejectedReading> | undefined;
    for (const { key, of } of stepped) {
      const value = readings.values[key];
      if (typeof value !== "number") continue;
      if (of.take(atMs, value, (wasMs, was) => (believed = [...believed, { key, atMs: wasMs, value: was }]))) continue;
      jumps ??= {};
      jumps[key] = { reason: "step", text: rejectedText(value) };
    }
    if (jumps === undefined) return { readings, believed };
    const left = Object.entries(readings.values).filter(([key]) => !Object.hasOwn(jumps, key));
    // Built by Object.fromEntries, because a device may send the key __proto__.
    return {
      readings: { values: Object.fromEntries(left), rejected: { ...readings.rejected, ...jumps } },
      believed,
    };
  };
}
