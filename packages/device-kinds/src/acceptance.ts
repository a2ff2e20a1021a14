/**
 * Acceptance of readings. A reading of a known channel is accepted when it has the channel's type and lies in its valid range.
 * A rejected reading is kept as evidence only: no figure, verdict, alarm or report uses it.
 */
import type { Channel, DeviceKind, LocalText, ReportedValue } from "./device-kind.ts";

/**
 * Why a reading of a known channel is rejected: wrong type, outside the valid range, or a jump that the channel's inertia rules
 * out.
 */
export type RejectReason = "type" | "range" | "step";

/** Names of the reasons for rejecting a reading. */
export const rejectReasonNames: Readonly<Record<RejectReason, LocalText>> = {
  type: { zh: "无法识别", en: "cannot be read" },
  range: { zh: "超出量程", en: "out of range" },
  step: { zh: "跳变", en: "jump" },
};

/** A rejected reading, kept as evidence: it is in no figure, and raises no alarm about the measured thing. */
export type RejectedReading = {
  readonly reason: RejectReason;
  /** What the device sent, as JSON, shortened to 64 characters. */
  readonly text: string;
};

/** The rejected readings of one message, by channel key. */
export type RejectedReadings = Readonly<Record<string, RejectedReading>>;

/**
 * Readings of one message, split into accepted and rejected; `values` is the given object itself where all of it was accepted
 * unchanged.
 */
export type AcceptedReadings = {
  readonly values: Record<string, unknown>;
  readonly rejected?: RejectedReadings;
};

/** Characters of a rejected reading that are stored. */
const keptCharacters = 64;

/** What a device sent, as JSON, shortened. */
export function rejectedText(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters - 1)}…`;
}

/**
 * A number in quotes that ThingsBoard also reads as a number: no exponent, no plus sign, digits on both sides of the point.
 * Leading zeros make it an identifier, which stays a text.
 */
const figure = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Reads a number from a text; a text that is no number, or an integer that a double can't hold exactly, stays a text. */
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
      // A word that the kind does not list may come from newer firmware, so it is accepted.
      return (value) => (typeof value === "string" ? { value } : refusedType);
  }
}

/**
 * Splits the readings of a message into accepted and rejected. A null is no reading; a key that the kind does not know is
 * accepted unchanged.
 */
export type Accept = (given: Record<string, unknown>) => AcceptedReadings;

/** Number channels with their range; these two comparisons decide nearly all readings. */
interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Makes the acceptance function of a kind, which is called for every message.
 * @param kind left out for an unknown kind: numbers in quotes are read, and every value is accepted
 */
export function createAcceptance(kind?: DeviceKind): Accept {
  const judges = new Map((kind?.channels ?? []).map((channel) => [channel.key, judgeOf(channel)]));
  const ranges = new Map<string, NumberRange>(
    (kind?.channels ?? []).flatMap(({ key, type, valid }) =>
      type === "number" && valid !== undefined ? [[key, { low: valid[0], high: valid[1] }] as const] : [],
    ),
  );
  /** Whether a value is stored unchanged. */
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
    // Built by Object.fromEntries, because a device may send the key __proto__.
    return {
      values: Object.fromEntries(values),
      ...(rejected.length > 0 && { rejected: Object.fromEntries(rejected) }),
    };
  };
}
