import { expect, test } from "vitest";
import { createRollUp } from "./roll-up.ts";

const evidence = { reason: "range", text: "-127" };

test("rejected readings are counted beside the values, and those that were believed later are not", () => {
  const { add, rolled } = createRollUp([], [60_000]);
  add({ at: 0, packed: null, readings: { t_in: 20, "rejected:rh": evidence } });
  add({ at: 1000, packed: null, readings: { "rejected:t_in": evidence, "rejected:rh": evidence } });
  add({ at: 2000, packed: null, readings: { "rejected:t_in": evidence, t_in: 40 } });
  const counts = [...(rolled[0] ?? [])].map(([key, buckets]) => [key, buckets.get(0)?.count, buckets.get(0)?.sum]);
  expect(Object.fromEntries(counts.map(([key, ...of]) => [key, of]))).toEqual({
    t_in: [2, 60],
    "rejected:rh": [2, 2],
    "rejected:t_in": [1, 1],
  });
});
