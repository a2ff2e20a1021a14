import type { AnalyticResult, DeviceKindId, FarmReport } from "@herdwise/contract";
import { type Analytic, deviceKinds, shortfallOf } from "@herdwise/device-kinds";

/** The declaration of an analytic of a kind. */
export const analyticOf = (kind: DeviceKindId, id: string): Analytic | undefined =>
  deviceKinds[kind].analytics.find((analytic) => analytic.id === id);

/** Value of an analytic of a device. */
export const figureOf = ({ results }: { results: readonly AnalyticResult[] }, id: string): number | undefined =>
  results.find((result) => result.id === id)?.value;

/** Decimals by size, as on the screens of the kinds: those of the largest for all values of a column. */
export function decimalsOfAll(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  const largest = Math.max(...known.map(Math.abs), 0);
  return known.every(Number.isInteger) || largest > 100 ? 0 : largest < 1 ? 2 : 1;
}

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

const doubling = deviceKinds.cough.alarmRules.find(({ id }) => id === "index_doubled")?.condition;

/** From this ratio on the cough rules ask for somebody to act today. */
export const coughLimit =
  (doubling?.type === "detector" ? (doubling.parameters as { above?: number }).above : undefined) ??
  Number.POSITIVE_INFINITY;

/** Figures that are named above the tables. */
const mostShort = 3;

/** The figures that fall short most of what they should be at least, the worst first. */
export const shortest = ({ kinds }: Pick<FarmReport, "kinds">) =>
  kinds
    .flatMap(({ kind, devices }) =>
      devices.flatMap(({ place, deviceName, results }) =>
        results.flatMap(({ id, value }) => {
          const analytic = analyticOf(kind, id);
          const least = shortfallOf(analytic ?? {}, value);
          return analytic === undefined || value === undefined || least === undefined
            ? []
            : [{ place: place === "" ? deviceName : place, analytic, value, least }];
        }),
      ),
    )
    .toSorted((a, b) => a.value / a.least - b.value / b.least)
    .slice(0, mostShort);

/** Whether most of what a device told while it could not be reached came afterwards: its figures are whole then. */
export function isSentLater(
  { kinds, from, to }: Pick<FarmReport, "kinds" | "from" | "to">,
  id: string,
  offlineS: number,
) {
  const told = kinds.flatMap(({ devices }) => devices).find(({ deviceId }) => deviceId === id);
  const heard = told && figureOf(told, "report_completeness");
  const connected = 100 - (offlineS * 100_000) / (to - from);
  return heard !== undefined && heard > connected + (100 - connected) / 2;
}
