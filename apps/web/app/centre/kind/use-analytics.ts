import { type KindAnalytics, kindAnalytics } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";
import { useKind } from "./kind-view.ts";

/** Days that the pages offer; the server takes up to thirty. */
export const analyticsDays = [1, 7, 30] as const;
export type AnalyticsDays = (typeof analyticsDays)[number];

/** Kinds of which the server works out nothing yet (docs/analytics.md). */
const withoutFormulas: readonly string[] = ["environment", "cough"];

/** What the devices of the page's kind come to over the chosen days. */
export function useAnalytics(deviceId?: string): Loading<KindAnalytics> & {
  days: AnalyticsDays;
  setDays: (days: AnalyticsDays) => void;
  /** Nothing is worked out for the kind. */
  none: boolean;
} {
  const { kind } = useKind();
  const [days, setDays] = useState<AnalyticsDays>(7);
  const none = withoutFormulas.includes(kind.kind);
  const loaded = useLoad(none ? undefined : `analytics ${kind.kind} ${deviceId ?? ""} ${days}`, (signal) =>
    call(kindAnalytics, { query: { kind: kind.kind, days, ...(deviceId && { deviceId }) }, signal, quiet: true }),
  );
  return { ...loaded, days, setDays, none };
}
