import type { Verdict } from "./verdict.ts";

/**
 * How the air that is moved stands to the least that the animals need; a reference without a rule of its own.
 * @param rate per kilogram of live weight, as `least`
 */
export function ventilationVerdict(rate: number, least: number): Verdict {
  const said = { key: "vent", value: rate, state: "ok", range: {} } as const;
  const apart = (least - rate).toFixed(2);
  return Number(apart) > 0
    ? { ...said, standing: "outside-comfort", reason: { zh: `比参考最小低 ${apart}`, en: `${apart} below the least` } }
    : { ...said, standing: "fine", reason: { zh: "够参考最小", en: "above the least" } };
}
