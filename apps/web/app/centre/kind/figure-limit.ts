import type { DeviceKind, JudgedDevice } from "@herdwise/device-kinds";

/** The end that the first figure of a unit should stay below; undefined where it has none, or a lower one as well. */
export function figureLimit(
  kind: Pick<DeviceKind, "pages">,
  judged: Pick<JudgedDevice, "verdictOf">,
): number | undefined {
  const { range } = judged.verdictOf(kind.pages?.figures?.[0] ?? "");
  if ((range.low ?? range.usual?.[0] ?? 0) > 0 || range.comfort) return undefined;
  const end = range.high ?? range.usual?.[1];
  return end !== undefined && end > 0 ? end : undefined;
}
