import type { CoughAdvice } from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import { lookOf } from "./advice-states.ts";
import { actsFrom } from "./butler-order.ts";

const advice = (of: Partial<CoughAdvice>): CoughAdvice => ({
  state: "act",
  steps: [],
  place: "",
  unitId: "",
  pigs: 100,
  days: [],
  ...of,
});

test("the line to act from is twice the usual where that is below the upper end of the spread", () => {
  const from = (of: Partial<CoughAdvice>) => actsFrom(deviceKinds.cough, advice(of));
  // 0.27 is 2.4 times 0.11: it was to act on and yet below the line of 0.32.
  expect(from({ baseline: 0.11, alert: 0.32 })).toBeCloseTo(0.22);
  expect(from({ baseline: 0.2, alert: 0.3 })).toBe(0.3);
  expect(from({})).toBeUndefined();
});

test("a unit is not called normal while it is not known what is usual there", () => {
  expect(lookOf(advice({ state: "calm" })).state).toBe("empty");
  expect(lookOf(advice({ state: "calm", baseline: 0.1 })).state).toBe("ok");
  expect(lookOf(advice({ state: "watch" })).state).toBe("minor");
});
