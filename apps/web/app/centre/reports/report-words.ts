import type { AnalyticResult, DeviceKindId } from "@herdwise/contract";
import { type Analytic, deviceKinds } from "@herdwise/device-kinds";

/** The declaration of an analytic of a kind. */
export const analyticOf = (kind: DeviceKindId, id: string): Analytic | undefined =>
  deviceKinds[kind].analytics.find((analytic) => analytic.id === id);

/** Decimals by size, as on the screens of the kinds. */
export const decimalsOf = (value: number): number =>
  Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 2 : 1;

/** The mean of a figure over devices, by how much each rests on; undefined where none knows it. */
export function meanOf(results: readonly (AnalyticResult | undefined)[]): number | undefined {
  const known = results.flatMap((result) =>
    result?.value === undefined || result.count === 0 ? [] : [{ value: result.value, count: result.count }],
  );
  const count = known.reduce((all, one) => all + one.count, 0);
  return count === 0 ? undefined : known.reduce((all, { value, count: of }) => all + value * of, 0) / count;
}

/** How often the coughs of a device are those of its baseline; undefined without one. */
export function coughRatio(result: AnalyticResult | undefined): number | undefined {
  const baseline = result?.rows?.find(({ label }) => label === "baseline")?.value;
  return result?.value === undefined || baseline === undefined || baseline <= 0 ? undefined : result.value / baseline;
}
