import { describe, expect, test } from "vitest";
import { deviceKinds } from "./generated/device-kinds.ts";
import { createSteps } from "./steps.ts";

const startMs = Date.UTC(2026, 10, 20, 2);
const minuteMs = 60_000;

/** Sends readings by minute, and returns those that are accepted in the end, in the order of their times. */
function believed(sent: readonly (readonly [minute: number, value: number])[], before?: number): [number, number][] {
  const newest = new Map(before === undefined ? [] : [["t", { atMs: startMs - minuteMs, value: before }]]);
  const steps = createSteps([{ key: "t", perMinute: 3 }], newest);
  const accepted = new Map<number, unknown>();
  const minuteOf = (atMs: number): number => (atMs - startMs) / minuteMs;
  for (const [minute, value] of sent) {
    const told = steps(startMs + minute * minuteMs, { values: { t: value, rh: 60 } });
    for (const { atMs, value: was } of told.believed) accepted.set(minuteOf(atMs), was);
    const { values, rejected } = told.readings;
    expect(values).toEqual(rejected ? { rh: 60 } : { t: value, rh: 60 });
    if (rejected) expect(rejected).toEqual({ t: { reason: "step", text: String(value) } });
    else if (!accepted.has(minute)) accepted.set(minute, value);
  }
  return [...accepted].toSorted(([a], [b]) => a - b) as [number, number][];
}
const inMinutes = (...values: number[]) => values.map((value, minute): [number, number] => [minute, value]);

describe("a value with inertia", () => {
  test.each([
    ["85.0 of a probe after power-on", [21.4, 21.4, 85, 21.4], [0, 1, 3]],
    ["0.0 of a long wire", [21.4, 0, 21.3], [0, 2]],
    ["two in a row", [21.4, 0, 0, 21.3], [0, 3]],
    ["three that agree on nothing", [21.4, 0, 85, 50, 21.3], [0, 4]],
    ["every second one", [21.4, 0, 21.4, 0, 21.4, 0, 21.4, 0, 21.4, 0, 21.4], [0, 2, 4, 6, 8, 10]],
    ["more in a row than are remembered", [21.4, 0, 40, 0, 40, 0, 40, 0, 40, 0, 40, 21.4], [0, 11]],
  ])("%s is not believed", (_name, values, minutes) => {
    expect(believed(inMinutes(...values)).map(([minute]) => minute)).toEqual(minutes);
  });

  test("a jump that three readings in a row agree on is believed from the first of them on", () => {
    expect(believed(inMinutes(21.4, 12, 12.5, 11.8, 11.9))).toEqual(inMinutes(21.4, 12, 12.5, 11.8, 11.9));
    expect(believed(inMinutes(21.4, 12, 12.5, 21.3, 12, 12.1, 12.2))).toEqual([
      [0, 21.4],
      [3, 21.3],
      [4, 12],
      [5, 12.1],
      [6, 12.2],
    ]);
  });

  test("a jump that is under way is believed as soon as one that is over", () => {
    expect(believed(inMinutes(34, 30, 26.4, 23.4, 22))).toHaveLength(5);
    expect(believed(inMinutes(34, 30, 23.9))).toEqual([[0, 34]]);
    expect(believed(inMinutes(34, 30, 23.9, 17.8))).toEqual([[0, 34]]);
  });

  test("it may move as far as it can in the time that passed, and in a minute at any rate", () => {
    expect(believed(inMinutes(21.4, 24.4))).toHaveLength(2);
    expect(believed(inMinutes(21.4, 24.5))).toHaveLength(1);
    expect(believed([[0, 21.4], [2, 27.4]])).toHaveLength(2); // biome-ignore format: one line
    expect(believed([[0, 21.4], [0.1, 24.4]])).toHaveLength(2); // biome-ignore format: one line
  });

  test("what was accepted before a restart is what the first reading is measured by", () => {
    expect(believed(inMinutes(0, 21.3), 21.4)).toEqual([[1, 21.3]]);
    expect(believed(inMinutes(0, 0.1))).toHaveLength(2);
  });

  test("doubled readings say nothing more", () => {
    expect(believed([[0, 21.4], [1, 0], [1, 0], [1, 0], [2, 21.4]]).map(([minute]) => minute)).toEqual([0, 2]); // biome-ignore format: one line
  });

  test("what was held back is believed once what came between arrives late", () => {
    expect(believed([[0, 20], [1, 24], [0.5, 22]])).toEqual([[0, 20], [0.5, 22], [1, 24]]); // biome-ignore format: one line
  });

  test("a night that is sent later is judged by itself, in any direction", () => {
    const now = inMinutes(...Array.from({ length: 20 }, () => 21));
    const night: [number, number][] = Array.from({ length: 20 }, (_, at) => [at - 500, at % 5 === 3 ? 0 : 15]);
    const good = night.filter(([, value]) => value !== 0);
    expect(believed([...now, ...night])).toEqual([...good, ...now]);
    expect(believed([...now, ...night.toReversed()])).toEqual([...good, ...now]);
    // Mixed with current readings.
    const mixed = now.flatMap((reading, at) => [reading, night[at] as [number, number]]);
    expect(believed(mixed)).toEqual([...good, ...now]);
  });

  test("any order within five messages ends as the ordered one (400 series)", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    for (let series = 0; series < 400; series += 1) {
      let value = 20;
      let jumps: number[] = [];
      const ordered = Array.from({ length: 40 }, (_, minute): [number, number] => {
        value += (random(21) - 10) / 10;
        jumps = jumps.filter((earlier) => minute - earlier < 10);
        // Three readings that arrive before the ones between them look like three in a row.
        if (minute <= 5 || jumps.length === 2 || random(4) > 0) return [minute, value];
        jumps.push(minute);
        // Further than the value can move while earlier readings are still on their way.
        return [minute, value - 30 - random(3) * 20];
      });
      const shuffled = ordered
        .map((reading, place) => ({ reading, order: place + random(5) }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ reading }) => reading);
      const doubled = shuffled.flatMap((reading) => (random(4) === 0 ? [reading, reading] : [reading]));
      expect(believed(doubled, 20)).toEqual(believed(ordered, 20));
    }
  });
});

test("air has inertia, wherever a device that stands still measures its temperature", () => {
  const declared = Object.values(deviceKinds).flatMap(({ kind, channels }) =>
    channels.filter(({ maxChangePerMinute }) => maxChangePerMinute === 3).map(({ key }) => `${kind} ${key}`),
  );
  expect(declared.sort()).toEqual([
    "bathroom room_t",
    "cough t",
    "cough t2",
    "deodorization t_exhaust",
    "environment t1",
    "environment t2",
    "environment t3",
    "environment t4",
    "environment t_in",
    "environment t_out",
  ]);
});
