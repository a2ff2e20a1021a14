/**
 * Which readings of a device are believed. A reading of a known channel is accepted when it has the channel's type and lies within its
 * valid range; everything else is evidence and nothing more: no figure, verdict, alarm or report looks at it.
 */
import type { Channel, DeviceKind, LocalText, ReportedValue } from "./device-kind.ts";

/** Why a reading of a known channel is not believed: not the channel's type, outside its valid range, or a jump beyond its inertia. */
export type RejectReason = "type" | "range" | "step";

/** What is said of a reading by why it is not believed. */
export const rejectReasonNames: Readonly<Record<RejectReason, LocalText>> = {
  type: { zh: "无法识别", en: "cannot be read" },
  range: { zh: "超出量程", en: "out of range" },
  step: { zh: "跳变", en: "jump" },
};

/** A reading that was not believed, as evidence: it is part of no figure and raises no alarm about the thing measured. */
export type RejectedReading = {
  readonly reason: RejectReason;
  /** What the device sent, as JSON, shortened to 64 characters. */
  readonly text: string;
};

/** The rejected readings of one message, by channel key. */
export type RejectedReadings = Readonly<Record<string, RejectedReading>>;

/** Readings of one message, told apart. `values` is the given object where all of it was accepted as it came. */
export type AcceptedReadings = {
  readonly values: Record<string, unknown>;
  readonly rejected?: RejectedReadings;
};

/** Characters of a rejected reading that are kept. */
const keptCharacters = 64;

/** What a device sent, as JSON, shortened. */
export function rejectedText(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters - 1)}…`;
}

/** A figure as ThingsBoard reads one in quotes: no exponent, no plus sign, no bare point. With leading zeros it is a number of something. */
const figure = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The number that a text stands for, or the text. One that a double can't hold to the last digit stays a text. */
export function readFigure(text: string): number | string {
  if (text.length > 24 || !figure.test(text)) return text;
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

/** Judges a reading of one channel. @returns the value as it is stored, or why it is rejected */
type Judge = (value: unknown) => { readonly value: ReportedValue } | { readonly reason: "type" | "range" };

function judgeOf({ type, valid }: Channel): Judge {
  const refusedType = { reason: "type" } as const;
  const refusedRange = { reason: "range" } as const;
  switch (type) {
    case "number": {
      const [low, high] = valid ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      return (given) => {
        const value = typeof given === "string" ? readFigure(given) : given;
        if (typeof value !== "number") return refusedType;
        return value >= low && value <= high ? { value } : refusedRange;
      };
    }
    case "boolean":
      return (value) => (typeof value === "boolean" ? { value } : refusedType);
    case "text":
      // A word that the kind does not list is news of a firmware, not an untrue reading.
      return (value) => (typeof value === "string" ? { value } : refusedType);
  }
}

/** Tells the readings of a message apart. A value that is null is no reading; a key that no kind knows is kept as it comes. */
export type Accept = (given: Record<string, unknown>) => AcceptedReadings;

/** Channels of a kind that are numbers, with their range: nearly all readings are told by these two comparisons. */
interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The acceptance of a kind, to be asked for every message.
 * @param kind without one nothing is known: figures in quotes are read, everything is kept
 */
export function createAcceptance(kind?: DeviceKind): Accept {
  const judges = new Map((kind?.channels ?? []).map((channel) => [channel.key, judgeOf(channel)]));
  const ranges = new Map<string, NumberRange>(
    (kind?.channels ?? []).flatMap(({ key, type, valid }) =>
      type === "number" && valid !== undefined ? [[key, { low: valid[0], high: valid[1] }] as const] : [],
    ),
  );
  /** Whether a value is stored as it came. */
  const isPlain = (key: string, value: unknown): boolean => {
    const range = ranges.get(key);
    if (range !== undefined) return typeof value === "number" && value >= range.low && value <= range.high;
    const judge = judges.get(key);
    if (judge === undefined) return value !== null && (typeof value !== "string" || readFigure(value) === value);
    const judged = judge(value);
    return "value" in judged && judged.value === value;
  };
  return (given) => {
    let plain = true;
    for (const key in given) {
      if (!isPlain(key, given[key])) {
        plain = false;
        break;
      }
    }
    if (plain) return { values: given };
    const values: [string, unknown][] = [];
    const rejected: [string, RejectedReading][] = [];
    for (const [key, value] of Object.entries(given)) {
      if (value === null) continue;
      const judge = judges.get(key);
      if (judge === undefined) {
        values.push([key, typeof value === "string" ? readFigure(value) : value]);
        continue;
      }
      const judged = judge(value);
      if ("value" in judged) values.push([key, judged.value]);
      else rejected.push([key, { reason: judged.reason, text: rejectedText(value) }]);
    }
    // Made from entries: a device may call a key __proto__.
    return {
      values: Object.fromEntries(values),
      ...(rejected.length > 0 && { rejected: Object.fromEntries(rejected) }),
    };
  };
}
