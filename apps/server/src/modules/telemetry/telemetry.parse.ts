import { isUtf8 } from "node:buffer";
import { type Accept, createAcceptance, type RejectedReadings, readFigure } from "@herdwise/device-kinds";

import { rejectedPrefix } from "./packing.ts";

/** Limits of device-protocol.md, "Promises". */
export const messageLimits = {
  /** Maximum size of one message in bytes. */
  bytes: 256 * 1024,
  /** Maximum nesting of JSON values. */
  depth: 10,
  /** Most different keys of one device over all messages. */
  keysPerDevice: 500,
  /** Maximum length of a key in characters. */
  keyLength: 128,
  /** Length as JSON from which a value counts as long. */
  longValue: 256,
  /** Maximum total length of a device's newest long values in characters, because they are written again with each message. */
  longValuesPerDevice: 512 * 1024,
  /** Milliseconds by which a device's time may be ahead of the server's; beyond it the time of receipt is used. */
  aheadMs: 5 * 60_000,
} as const;

/** Reasons for dropping a message, counted per device and shown on its page. */
export type DropReason =
  | "too_large"
  | "too_fast"
  | "not_utf8"
  | "not_json"
  | "wrong_form"
  | "too_deep"
  | "too_many_keys"
  | "readings_full"
  | "bad_text"
  | "bad_number"
  | "bad_time"
  | "time_in_seconds"
  | "time_in_microseconds"
  | "too_old"
  | "not_storable"
  | "attributes_full"
  | "late_answer"
  | "not_a_gateway"
  | "child_refused"
  | "bad_claim"
  | "no_firmware"
  | "unknown_topic";

export interface TelemetryRow {
  /** Device time in ms since 1970; the time of receipt when the message had none. */
  ts: number;
  values: Record<string, unknown>;
  /** Rejected readings, by key. */
  rejected?: RejectedReadings;
  /** The device's time was too far ahead and was replaced. */
  clockSkew: boolean;
  /** The message carried no time. */
  timeless: boolean;
}

export class Dropped extends Error {
  readonly reason: DropReason;
  constructor(reason: DropReason) {
    super(`dropped: ${reason}`);
    this.name = "Dropped";
    this.reason = reason;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Refuses values that PostgreSQL's jsonb can't store, so that one bad value never fails a batch. */
function checkValue(value: unknown, depth: number): void {
  if (typeof value === "string") {
    if (value.includes("\u0000") || !value.isWellFormed()) throw new Dropped("bad_text");
    return;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Dropped("bad_number");
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= messageLimits.depth) throw new Dropped("too_deep");
  // Objects of JSON.parse have only own keys; a for-in loop runs for every value of every message and allocates no list.
  for (const key in value) {
    checkValue(key, depth);
    checkValue((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** Parses JSON and refuses values that can't be stored. */
export function parseJson(payload: Buffer | string): unknown {
  if (Buffer.byteLength(payload) > messageLimits.bytes) throw new Dropped("too_large");
  if (typeof payload !== "string" && !isUtf8(payload)) throw new Dropped("not_utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(typeof payload === "string" ? payload : payload.toString("utf8"));
  } catch {
    throw new Dropped("not_json");
  }
  checkValue(parsed, 0);
  return parsed;
}

/** Objects of JSON.parse have only own keys; these loops run for every message and allocate no lists. */
function checkKeys(values: Record<string, unknown>): void {
  let count = 0;
  for (const key in values) {
    count += 1;
    if (key === "" || key.length > messageLimits.keyLength || key.startsWith(rejectedPrefix))
      throw new Dropped("wrong_form");
  }
  if (count > messageLimits.keysPerDevice) throw new Dropped("too_many_keys");
}

/** A time that differs from the receipt by more ms than this is not explained by a wrong unit. */
const unitSlipMs = 5 * 366 * 86_400_000;

/**
 * Reads a time, which device libraries send as a number or in quotes.
 * @param receivedAt time of receipt, which tells a current time in seconds or microseconds from an old one
 */
function readTime(ts: unknown, receivedAt: number): number {
  const read = typeof ts === "string" ? readFigure(ts) : ts;
  if (typeof read !== "number" || !Number.isSafeInteger(read) || read < 0) throw new Dropped("bad_time");
  if (Math.abs(read * 1000 - receivedAt) < unitSlipMs) throw new Dropped("time_in_seconds");
  if (Math.abs(read / 1000 - receivedAt) < unitSlipMs) throw new Dropped("time_in_microseconds");
  return read;
}

function rowOf(entry: unknown, receivedAt: number, accept: Accept): TelemetryRow {
  if (!isRecord(entry)) throw new Dropped("wrong_form");
  const timed = "ts" in entry && "values" in entry;
  const given = timed ? entry.values : entry;
  if (!isRecord(given)) throw new Dropped("wrong_form");
  checkKeys(given);
  const readings = accept(given);
  if (!timed) return { ts: receivedAt, ...readings, clockSkew: false, timeless: true };
  const ts = readTime(entry.ts, receivedAt);
  if (ts > receivedAt + messageLimits.aheadMs) return { ts: receivedAt, ...readings, clockSkew: true, timeless: true };
  return { ts, ...readings, clockSkew: false, timeless: false };
}

const acceptAll = createAcceptance();

/**
 * Parses telemetry of device-protocol.md: an object of values, `{ts, values}`, or a list of either.
 * As in ThingsBoard a number in quotes is a number, a null is no value, and a message without values is accepted and stores
 * nothing. A message is accepted or dropped as a whole.
 * @param receivedAt ms since 1970
 * @param accept acceptance function of the device's kind
 * @returns rows with at least one value each
 * @throws {Dropped}
 */
export function parseTelemetry(
  payload: Buffer | string,
  receivedAt: number,
  accept: Accept = acceptAll,
): TelemetryRow[] {
  return telemetryRows(parseJson(payload), receivedAt, accept);
}

/** Rejected readings count as well, because they are evidence and show that the device reports. */
const hasReadings = ({ values, rejected }: TelemetryRow): boolean => {
  for (const _key in values) return true;
  return rejected !== undefined;
};

/**
 * Rows of telemetry that `parseJson` returned.
 * @throws {Dropped}
 */
export function telemetryRows(parsed: unknown, receivedAt: number, accept: Accept = acceptAll): TelemetryRow[] {
  if (!Array.isArray(parsed)) {
    const row = rowOf(parsed, receivedAt, accept);
    return hasReadings(row) ? [row] : [];
  }
  return parsed.map((entry) => rowOf(entry, receivedAt, accept)).filter(hasReadings);
}

export interface EventRow {
  type: string;
  eventId: string;
  ts: number;
  body: Record<string, unknown>;
}

/**
 * Parses events of device-protocol.md: `{ts, type, id, ...}` or a list. The id is required, because it makes a repetition
 * harmless.
 */
export const parseEvents = (payload: Buffer | string, receivedAt: number): EventRow[] =>
  eventRows(parseJson(payload), receivedAt);

/**
 * Events that `parseJson` returned.
 * @throws {Dropped}
 */
export function eventRows(parsed: unknown, receivedAt: number): EventRow[] {
  const entries = Array.isArray(parsed) ? parsed : [parsed];
  if (entries.length === 0) throw new Dropped("wrong_form");
  return entries.map((entry) => {
    if (!isRecord(entry)) throw new Dropped("wrong_form");
    const { ts = receivedAt, type, id, ...body } = entry;
    if (typeof type !== "string" || type === "" || type.length > 64) throw new Dropped("wrong_form");
    if ((typeof id !== "string" && typeof id !== "number") || `${id}` === "" || `${id}`.length > 128) {
      throw new Dropped("wrong_form");
    }
    const at = readTime(ts, receivedAt);
    return { type, eventId: `${id}`, ts: at > receivedAt + messageLimits.aheadMs ? receivedAt : at, body };
  });
}

/**
 * Parses attributes: a flat object.
 * @throws {Dropped}
 */
export const parseAttributes = (payload: Buffer | string): Record<string, unknown> => attributesIn(parseJson(payload));

/**
 * Attributes that `parseJson` returned.
 * @throws {Dropped}
 */
export function attributesIn(parsed: unknown): Record<string, unknown> {
  if (!isRecord(parsed)) throw new Dropped("wrong_form");
  checkKeys(parsed);
  return parsed;
}
