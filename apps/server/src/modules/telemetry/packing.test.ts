import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { pack, unpack } from "./packing.ts";
import { packMinutes, type RollUp, unpackMinutes } from "./roll-up.ts";

let here: TestDatabase;
beforeAll(async () => {
  here = await createTestDatabase(2);
});
afterAll(() => here.drop());

const keyOf = (number: number): string => `k${number}`;
const numbers = new Map(Array.from({ length: 600 }, (_, number) => [keyOf(number), number]));
const unpacked = (packed: Buffer): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  unpack(packed, (number, value) => {
    values[keyOf(number)] = value;
  });
  return values;
};
/** Unpacks with the database's function, an independent implementation. */
const unpackedInSql = async (packed: readonly Buffer[]): Promise<unknown[]> => {
  const { rows } = await here.database.pool.query<{ readings: unknown }>(
    `select (select jsonb_object_agg('k' || e.key_number, e.value) from telemetry_entries(p.packed) e) as readings
       from unnest($1::bytea[]) with ordinality as p (packed, place) order by p.place`,
    [packed],
  );
  return rows.map(({ readings }) => readings);
};

/** Random doubles of every magnitude. */
function anyDouble(): number {
  const bits = new DataView(new ArrayBuffer(8));
  for (;;) {
    bits.setUint32(0, Math.random() * 2 ** 32);
    bits.setUint32(4, Math.random() * 2 ** 32);
    if (Number.isFinite(bits.getFloat64(0))) return bits.getFloat64(0);
  }
}
// Without -0, which the database's JSON does not have.
const whole = (): number => Math.round((Math.random() - 0.5) * 2 ** Math.ceil(Math.random() * 60)) || 0;

const decimal = (): number => Number((whole() / 10 ** Math.floor(Math.random() * 12)).toFixed(9)) || 0;
const edges = [
  0,
  -1,
  1,
  63,
  64,
  -64,
  -65,
  0.1,
  -0.1,
  0.01,
  0.001,
  21.4,
  -12.5,
  1834.25,
  0.30000000000000004,
  1 / 3,
  5e-324,
  2.2250738585072014e-308,
  -2.2250738585072014e-308,
  1.7976931348623157e308,
  2 ** 31,
  -(2 ** 31),
  2 ** 52,
  2 ** 52 + 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e-7,
  17179869184.1,
  171798691.85,
  4503599627370495.5,
  123456789.12345679,
];
const others = [true, false, "", "normal", "汉字\n\"'\\", "x".repeat(300), [], [1, { a: null }], { b: [true, "é"] }];

test("a value comes back as it was sent, here and by the function of the database", async () => {
  const messages = [
    ...edges.map((value) => ({ k0: value, k500: value })),
    ...others.map((value) => ({ k15: value, k16: value, k599: 1 })),
    Object.fromEntries(Array.from({ length: 600 }, (_, at) => [keyOf(at), at / 7])),
    ...Array.from({ length: 2000 }, () => ({ k1: anyDouble(), k2: whole(), k3: decimal() })),
  ];
  const packed = messages.map((values) => pack(values, numbers));
  for (const [at, values] of messages.entries()) expect(unpacked(packed[at] as Buffer)).toStrictEqual(values);
  const inSql = await unpackedInSql(packed);
  for (const [at, values] of messages.entries()) expect(inSql[at]).toStrictEqual(values);
  expect(Object.is(unpacked(pack({ k0: -0 }, numbers)).k0, -0)).toBe(true);
});

test("a key without a number is a fault, not a lost value", () => {
  expect(() => pack({ unknown: 1 }, numbers)).toThrow("no number");
});

test("of two messages of one time the first value of a key stays, whatever its form", async () => {
  for (let round = 0; round < 40; round += 1) {
    const some = (): Record<string, unknown> =>
      Object.fromEntries(
        Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () => [
          keyOf(Math.floor(Math.random() * 20)),
          [...edges, ...others][Math.floor(Math.random() * (edges.length + others.length))],
        ]),
      );
    const [held, arrived] = [some(), some()];
    const { rows } = await here.database.pool.query<{ merged: Buffer; again: Buffer; alone: Buffer }>(
      `select m as merged, merge_telemetry(m, $2) as again, merge_telemetry(null, $2) as alone from merge_telemetry($1, $2) m`,
      [pack(held, numbers), pack(arrived, numbers)],
    );
    expect(unpacked(rows[0]?.merged as Buffer)).toStrictEqual({ ...arrived, ...held });
    expect(rows[0]?.again).toEqual(rows[0]?.merged);
    expect(unpacked(rows[0]?.alone as Buffer)).toStrictEqual(arrived);
  }
});

test("the minutes of an hour come back as they were", () => {
  const hour = 494_321;
  const minutes = new Map<number, RollUp>();
  for (let minute = 0; minute < 60; minute += 1) {
    const last = [decimal(), anyDouble(), whole()][minute % 3] as number;
    const single = { count: 1, firstMs: 59_999 - minute, lastMs: 59_999 - minute, sum: last, min: last, max: last };
    const several = { count: 7, firstMs: minute, lastMs: 1000 + minute, sum: anyDouble(), min: -1.5, max: 1e9 };
    minutes.set(hour * 60 + minute, {
      ...(minute % 4 === 0 ? several : single),
      last,
      held: minute % 4 === 0 ? 12.25 : 0,
    });
  }
  expect(unpackMinutes(packMinutes(minutes), hour)).toStrictEqual(minutes);
});
