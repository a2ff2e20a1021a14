import type { RejectedReading, RejectedReadings } from "@herdwise/device-kinds";

/**
 * The values of a message as one byte string, in the format of migration 0040.
 * Values are restored exactly: 21.4 is stored as 214 tenths only because 214 / 10 is the same double; any other number takes
 * eight bytes.
 */
const forms = { whole: 0, tenths: 1, hundredths: 2, decimal: 3, double: 4, false: 5, true: 6, json: 7 } as const;
const powersOfTen = Array.from({ length: 10 }, (_, places) => 10 ** places);
const largestMantissa = 2 ** 52;
/** From this value on eight bytes are as short. */
const largestDecimalMantissa = 2 ** 34;

const firstBytes = 64 * 1024;
/** The buffer is shrunk to this size after a batch of large messages. */
const keptBytes = 1024 * 1024;
/** A growing buffer that is shared, because packing is synchronous. */
let bytes = Buffer.allocUnsafe(firstBytes);
let end = 0;

function reserve(count: number): void {
  if (end + count <= bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + count));
  bytes.copy(grown, 0, 0, end);
  bytes = grown;
}

/** Writes a whole number from 0 to 2^53. */
export function putVarint(value: number): void {
  reserve(8);
  let left = value;
  // Bitwise operators only work up to 31 bits.
  while (left >= 0x40000000) {
    bytes[end++] = (left % 128) | 128;
    left = Math.floor(left / 128);
  }
  while (left >= 128) {
    bytes[end++] = (left & 127) | 128;
    left >>>= 7;
  }
  bytes[end++] = left;
}

const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);

/**
 * Writes a number.
 * @param head a multiple of 8, to which the format of the number is added
 */
export function putNumber(head: number, value: number): void {
  reserve(32);
  if (Number.isInteger(value) && Math.abs(value) <= largestMantissa && !Object.is(value, -0)) {
    putVarint(head + forms.whole);
    putVarint(zigzag(value));
    return;
  }
  for (let places = 1; places < powersOfTen.length; places += 1) {
    const power = powersOfTen[places] as number;
    const mantissa = Math.round(value * power);
    if (Math.abs(mantissa) > largestDecimalMantissa) break;
    if (mantissa / power !== value || mantissa === 0) continue;
    if (places <= 2) putVarint(head + places);
    else {
      putVarint(head + forms.decimal);
      bytes[end++] = places;
    }
    putVarint(zigzag(mantissa));
    return;
  }
  putVarint(head + forms.double);
  end = bytes.writeDoubleLE(value, end);
}

/** The bytes that `write` writes. */
export function written(write: () => void): Buffer {
  end = 0;
  try {
    write();
    return Buffer.from(bytes.subarray(0, end));
  } finally {
    if (bytes.length > keptBytes) bytes = Buffer.allocUnsafe(firstBytes);
  }
}

/** Prefix of the key of a rejected reading, which is stored with the accepted ones of its message; devices may not use it. */
export const rejectedPrefix = "rejected:";

/** Messages of one device, and the numbers of its keys, from 0. */
interface PackablePart {
  readonly rows: readonly {
    readonly values: Readonly<Record<string, unknown>>;
    readonly rejected?: RejectedReadings;
  }[];
  readonly numbers: ReadonlyMap<string, number>;
}

function putValues(values: Readonly<Record<string, unknown>>, numbers: ReadonlyMap<string, number>): void {
  for (const key of Object.keys(values)) {
    const number = numbers.get(key);
    if (number === undefined) throw new Error("a key has no number");
    const head = number * 8;
    const value = values[key];
    if (typeof value === "number") putNumber(head, value);
    else if (typeof value === "boolean") putVarint(head + (value ? forms.true : forms.false));
    else {
      const json = JSON.stringify(value);
      const length = Buffer.byteLength(json);
      putVarint(head + forms.json);
      putVarint(length);
      reserve(length);
      end += bytes.write(json, end);
    }
  }
}

/** Rejected readings as stored, under keys that no reader of readings uses. */
const evidenceOf = (rejected: RejectedReadings): Record<string, RejectedReading> =>
  Object.fromEntries(Object.entries(rejected).map(([key, reading]) => [`${rejectedPrefix}${key}`, reading]));

/**
 * Packs messages into one buffer.
 * @returns the end of each in bytes from the beginning
 * @throws Error when a key has no number
 */
export function packAll(parts: readonly PackablePart[]): { packed: Buffer; ends: number[] } {
  const ends: number[] = [];
  const packed = written(() => {
    for (const { rows, numbers } of parts) {
      for (const { values, rejected } of rows) {
        putValues(values, numbers);
        if (rejected !== undefined) putValues(evidenceOf(rejected), numbers);
        ends.push(end);
      }
    }
  });
  return { packed, ends };
}

/**
 * Packs the values of a message.
 * @param numbers the number of each key, from 0
 * @throws Error when a key has no number
 */
export const pack = (values: Readonly<Record<string, unknown>>, numbers: ReadonlyMap<string, number>): Buffer =>
  written(() => putValues(values, numbers));

/** Read position, shared because reading is synchronous. */
let at = 0;

/** Reads a whole number that `putVarint` wrote. */
export function takeVarint(packed: Buffer): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = packed[at++] as number;
    value += (byte & 127) * scale;
    if (byte < 128) return value;
    scale *= 128;
  }
}

const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/**
 * Reads a value.
 * @param form the lowest three bits of the head
 */
export function takeValue(packed: Buffer, form: number): unknown {
  switch (form) {
    case forms.whole:
      return unzigzag(takeVarint(packed));
    case forms.tenths:
    case forms.hundredths:
      return unzigzag(takeVarint(packed)) / (powersOfTen[form] as number);
    case forms.decimal: {
      const power = powersOfTen[packed[at++] as number] as number;
      return unzigzag(takeVarint(packed)) / power;
    }
    case forms.double:
      at += 8;
      return packed.readDoubleLE(at - 8);
    case forms.json: {
      const length = takeVarint(packed);
      at += length;
      return JSON.parse(packed.toString("utf8", at - length, at));
    }
    default:
      return form === forms.true;
  }
}

/** Calls `read` with each head until the end; it must read what follows the head. */
export function readAll(packed: Buffer, read: (head: number) => void): void {
  at = 0;
  while (at < packed.length) read(takeVarint(packed));
}

/** Calls `take` with each value and the number of its key; it must not read or write packed values itself. */
export function unpack(packed: Buffer, take: (keyNumber: number, value: unknown) => void): void {
  readAll(packed, (head) => take(head >>> 3, takeValue(packed, head & 7)));
}

/** A row as stored: packed values, or JSON by key from before packing. */
export interface PackedRow {
  packed: Buffer | null;
  readings: Readonly<Record<string, unknown>> | null;
}

/**
 * Calls `take` with each value and its key; rejected readings are no values.
 * @param keys keys of the device in the order of their numbers
 * @param takeRejected gets the rejected readings by channel
 */
export function valuesOf(
  row: PackedRow,
  keys: readonly string[],
  take: (key: string, value: unknown) => void,
  takeRejected?: (key: string, reading: RejectedReading) => void,
): void {
  storedOf(row, keys, (key, value) => {
    if (!key.startsWith(rejectedPrefix)) take(key, value);
    else takeRejected?.(key.slice(rejectedPrefix.length), value as RejectedReading);
  });
}

function storedOf(
  { packed, readings }: PackedRow,
  keys: readonly string[],
  take: (key: string, value: unknown) => void,
): void {
  if (packed !== null) {
    unpack(packed, (number, value) => {
      const key = keys[number];
      // A repeated message of a row stored as JSON contains the same key again.
      if (key !== undefined && (readings === null || !Object.hasOwn(readings, key))) take(key, value);
    });
  }
  if (readings !== null) for (const key of Object.keys(readings)) take(key, readings[key]);
}
