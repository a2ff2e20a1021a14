/** Limits of device-protocol.md, "Promises". */
export const messageLimits = {
  /** Bytes of one message. */
  bytes: 256 * 1024,
  /** Nesting of JSON values. */
  depth: 10,
  /** Different keys of one device, over all its messages. */
  keysPerDevice: 500,
  /** Characters of a key. */
  keyLength: 128,
  /** Characters from which a value counts as long, as JSON. */
  longValue: 256,
  /** Characters of the newest long values of one device, over all its keys: they are written anew with each message. */
  longValuesPerDevice: 512 * 1024,
  /** How far ahead of the server a device's time may be, in ms; beyond it the time of receipt is used. */
  aheadMs: 5 * 60_000,
} as const;

/** Why a message was dropped; counted per device and shown on its page. */
export type DropReason =
  | "too_large"
  | "too_fast"
  | "not_json"
  | "wrong_form"
  | "too_deep"
  | "too_many_keys"
  | "readings_full"
  | "bad_text"
  | "bad_number"
  | "bad_time"
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

/** Refuses what PostgreSQL's jsonb can't hold, so that one bad value never fails a batch of good ones. */
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
  // What JSON.parse made has keys of its own alone. This runs for every value of every message: it makes no lists.
  for (const key in value) {
    checkValue(key, depth);
    checkValue((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** Parses JSON and refuses what can't be stored. */
export function parseJson(payload: Buffer | string): unknown {
  if (Buffer.byteLength(payload) > messageLimits.bytes) throw new Dropped("too_large");
  let parsed: unknown;
  try {
    parsed = JSON.parse(typeof payload === "string" ? payload : payload.toString("utf8"));
  } catch {
    throw new Dropped("not_json");
  }
  checkValue(parsed, 0);
  return parsed;
}

/** What JSON.parse made has keys of its own alone. These loops run for every message and make no lists. */
function checkKeys(values: Record<string, unknown>): void {
  let count = 0;
  for (const key in values) {
    count += 1;
    if (key === "" || key.length > messageLimits.keyLength) throw new Dropped("wrong_form");
  }
  if (count > messageLimits.keysPerDevice) throw new Dropped("too_many_keys");
}

/** A figure as ThingsBoard reads one in quotes: no exponent, no plus sign, no bare point. With leading zeros it is a number of something. */
const figure = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The number that a text stands for, or the text. One that a double can't hold to the last digit stays a text. */
function readText(text: string): number | string {
  if (text.length > 24 || !figure.test(text)) return text;
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

/** Device libraries write the time as a number or in quotes. */
function readTime(ts: unknown): number {
  const read = typeof ts === "string" ? readText(ts) : ts;
  if (typeof read !== "number" || !Number.isSafeInteger(read) || read < 0) throw new Dropped("bad_time");
  return read;
}

/** The values as they are stored. Nearly all messages have them so already, and their values are taken as they came. */
function readValues(given: Record<string, unknown>, isText: (key: string) => boolean): Record<string, unknown> {
  const readOf = (key: string, value: unknown): unknown =>
    typeof value === "string" && !isText(key) ? readText(value) : value;
  let asGiven = true;
  for (const key in given) {
    const value = given[key];
    if (value === null || (typeof value === "string" && readOf(key, value) !== value)) {
      asGiven = false;
      break;
    }
  }
  if (asGiven) return given;
  // Made from entries: a device may call a key __proto__.
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, readOf(key, value)]),
  );
}

function rowOf(entry: unknown, receivedAt: number, isText: (key: string) => boolean): TelemetryRow {
  if (!isRecord(entry)) throw new Dropped("wrong_form");
  const timed = "ts" in entry && "values" in entry;
  const given = timed ? entry.values : entry;
  if (!isRecord(given)) throw new Dropped("wrong_form");
  checkKeys(given);
  const values = readValues(given, isText);
  if (!timed) return { ts: receivedAt, values, clockSkew: false, timeless: true };
  const ts = readTime(entry.ts);
  if (ts > receivedAt + messageLimits.aheadMs) return { ts: receivedAt, values, clockSkew: true, timeless: true };
  return { ts, values, clockSkew: false, timeless: false };
}

/**
 * Telemetry of device-protocol.md: an object of values, `{ts, values}`, or a list of either, read as ThingsBoard reads it: a
 * figure in quotes is a number, a value that is null is none, and a message without values is taken and stores nothing. A
 * message is taken whole or dropped whole.
 * @param receivedAt ms since 1970
 * @param isText whether the device's kind declares a key as text, whose figures stay as they are
 * @returns rows with at least one value each
 * @throws {Dropped}
 */
export function parseTelemetry(
  payload: Buffer | string,
  receivedAt: number,
  isText: (key: string) => boolean = () => false,
): TelemetryRow[] {
  return telemetryRows(parseJson(payload), receivedAt, isText);
}

const hasValues = ({ values }: TelemetryRow): boolean => {
  for (const _key in values) return true;
  return false;
};

/** The rows of telemetry that `parseJson` let through. @throws {Dropped} */
export function telemetryRows(
  parsed: unknown,
  receivedAt: number,
  isText: (key: string) => boolean = () => false,
): TelemetryRow[] {
  if (!Array.isArray(parsed)) {
    const row = rowOf(parsed, receivedAt, isText);
    return hasValues(row) ? [row] : [];
  }
  return parsed.map((entry) => rowOf(entry, receivedAt, isText)).filter(hasValues);
}

export interface EventRow {
  type: string;
  eventId: string;
  ts: number;
  body: Record<string, unknown>;
}

/** Events of device-protocol.md: `{ts, type, id, ...}` or a list. The id makes a resend harmless and is required. */
export const parseEvents = (payload: Buffer | string, receivedAt: number): EventRow[] =>
  eventRows(parseJson(payload), receivedAt);

/** The records of events that `parseJson` let through. @throws {Dropped} */
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
    const at = readTime(ts);
    return { type, eventId: `${id}`, ts: at > receivedAt + messageLimits.aheadMs ? receivedAt : at, body };
  });
}

/** Attributes: a flat object. @throws {Dropped} */
export const parseAttributes = (payload: Buffer | string): Record<string, unknown> => attributesIn(parseJson(payload));

/** Attributes that `parseJson` let through. @throws {Dropped} */
export function attributesIn(parsed: unknown): Record<string, unknown> {
  if (!isRecord(parsed)) throw new Dropped("wrong_form");
  checkKeys(parsed);
  return parsed;
}
