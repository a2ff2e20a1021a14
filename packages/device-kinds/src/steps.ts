/**
 * Which jumps are believed. A value with inertia changes no faster than its channel declares; what jumps beyond that (a probe that reads 0.0
 * on a long wire, or 85.0 after power-on) is believed once three readings in a row agree on it, and then from the first of them on.
 */
import { type AcceptedReadings, type RejectedReading, rejectedText } from "./acceptance.ts";
import type { DeviceKind } from "./device-kind.ts";

/** Readings in a row that have to agree before a jump is believed. */
const believedInARow = 3;
/** Readings of a channel that are remembered: what comes so many messages late is judged between those that it belongs between. */
const remembered = 8;
const minuteMs = 60_000;
/** Held readings agree when they lie within so many times of what the value moves: a jump that is real may still be under way. */
const underWay = 2;
/** 24.4 - 21.4 is a little more than 3. */
const rounding = 1e-9;

interface SteppedReading {
  atMs: number;
  value: number;
  accepted: boolean;
}

/** A channel with inertia. */
export type SteppedChannel = {
  readonly key: string;
  /** How far the value can move in a minute. */
  readonly perMinute: number;
};

/** The channels of a kind that have inertia. */
export const steppedChannels = ({ channels }: DeviceKind): SteppedChannel[] =>
  channels.flatMap(({ key, maxChangePerMinute: perMinute }) => (perMinute === undefined ? [] : [{ key, perMinute }]));

/** A reading with its time, ms since 1970. */
export type TimedNumber = { readonly atMs: number; readonly value: number };

/** A reading that was rejected as a jump when it came, and is believed now. */
export type BelievedReading = TimedNumber & { readonly key: string };

type OnBelieved = (atMs: number, value: number) => void;

/** Readings that follow each other without a gap that is known of, in the order of their times. */
class StepWindow {
  readonly #perMinute: number;
  readonly #readings: SteppedReading[] = [];
  /** The accepted reading that comes next behind the window. */
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

  /** @param sinceMs the time of the reading next to it: a wire that sends nonsense for long makes no jump more likely */
  #agree(a: SteppedReading, b: SteppedReading, sinceMs = a.atMs, times = 1): boolean {
    // Within a minute values may move as far as in a minute: readings are rounded and sensors answer in steps.
    const minutes = Math.max(1, Math.abs(b.atMs - sinceMs) / minuteMs);
    return Math.abs(b.value - a.value) <= this.#perMinute * times * minutes + rounding;
  }

  take(atMs: number, value: number, onBelieved: OnBelieved): boolean {
    const readings = this.#readings;
    let place = readings.length;
    while (place > 0 && (readings[place - 1] as SteppedReading).atMs >= atMs) place -= 1;
    const same = readings[place];
    // Of two values of one time the first stays.
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

  /** Judges the readings from one on, in their order; what was accepted stays so. */
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

  /** The oldest goes, but for the only one that was accepted. */
  #forgetOne(): void {
    const isNeeded = this.#readings.findLastIndex(({ accepted }) => accepted) === 0;
    if (isNeeded) this.#readings.splice(1, 1);
    else this.#readings.shift();
  }
}

/** The readings of one channel of one device as they come. */
class ChannelSteps {
  readonly #perMinute: number;
  readonly #present: StepWindow;
  /** What is sent from before all that is remembered, such as the readings of a night without a network. */
  #late: StepWindow | undefined;

  /**
   * @param perMinute how far the channel's values move in a minute
   * @param last the newest reading that was accepted before, where one is known
   */
  constructor(perMinute: number, last?: TimedNumber) {
    this.#perMinute = perMinute;
    this.#present = new StepWindow(perMinute);
    if (last !== undefined) this.#present.take(last.atMs, last.value, () => undefined);
  }

  /** @returns whether the reading is believed */
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

/** Takes jumps out of the readings of a message; `believed` are those of earlier messages that are believed now. */
export type Steps = (
  atMs: number,
  readings: AcceptedReadings,
) => { readonly readings: AcceptedReadings; readonly believed: readonly BelievedReading[] };

/** Nearly no message brings any. */
const noneBelieved: readonly BelievedReading[] = [];

/**
 * What tells the jumps of one device, to be asked for every message in the order in which they come.
 * @param newest the newest readings that were accepted before, by key
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
    // Made from entries: a device may call a key __proto__.
    return {
      readings: { values: Object.fromEntries(left), rejected: { ...readings.rejected, ...jumps } },
      believed,
    };
  };
}
