import { expect, test } from "vitest";
import { deviceKinds } from "./generated/device-kinds.ts";
import { gearTable, parameterGroups, replayGears, shiftFanTable } from "./index.ts";

test("every parameter of every kind stands in exactly one form", () => {
  for (const kind of Object.values(deviceKinds)) {
    const groups = parameterGroups(kind);
    expect(groups.flatMap(({ keys }) => keys).toSorted(), kind.kind).toEqual(
      kind.parameters.map(({ key }) => key).toSorted(),
    );
    expect(new Set(groups.map(({ id }) => id)).size, kind.kind).toBe(groups.length);
  }
});

test("a table is replayed over what was measured, with hysteresis and least times", () => {
  // Target 20: gear 2 from 20.0, gear 3 from 20.7, down below 20.3; each gear is kept for at least 120 s.
  const table = gearTable(20);
  const minute = 60_000;
  const at = (...values: number[]) => values.map((value, index) => ({ atMs: index * minute, value }));
  const replay = replayGears(at(20.1, 20.1, 20.1, 20.8, 20.4, 20.2, 20.8), table);
  // In gear 2 at first; up at 3 min; 20.4 holds gear 3; 20.2 leaves it at 5 min; 20.8 comes too early at 6 min.
  expect(replay.steps).toEqual([
    { atMs: 0, gear: 2 },
    { atMs: 3 * minute, gear: 3 },
    { atMs: 5 * minute, gear: 2 },
  ]);
  expect(replay).toMatchObject({ changes: 2, shortestMs: 2 * minute, highest: 3 });
  expect(replayGears([], table)).toEqual({ changes: 0, steps: [], shortestMs: undefined, highest: 0 });
});

test("a table for another target has all temperatures moved, and stays one that can be sent", () => {
  const shifted = shiftFanTable(gearTable(20), -1.5);
  expect(shifted[0]).toMatchObject({ gear: 1, t_up: 17.5, t_down: 17.1, fans: 1 });
  const declared = deviceKinds.environment.parameters.find(({ key }) => key === "fan_table");
  expect(declared?.type === "structure" && declared.validate(shifted)).toEqual([]);
});
