import { type KindAnalytics, kindAnalytics } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { Loading } from "../../shared/api/use-load.ts";
import { useKind } from "./kind-view.ts";

/** Days that the pages offer; the server takes up to thirty. */
export const analyticsDays = [1, 7, 30] as const;
export type AnalyticsDays = (typeof analyticsDays)[number];

/** A span is days long: nobody sees the last minutes of it. */
const freshMs = 60_000;

/** What the devices of the page's kind come to over the chosen days; asked for once, however many cards of a page show it. */
export function useAnalytics(deviceId?: string): Loading<KindAnalytics> & {
  days: AnalyticsDays;
  setDays: (days: AnalyticsDays) => void;
} {
  const { kind } = useKind();
  const [days, setDays] = useState<AnalyticsDays>(7);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["analytics", kind.kind, deviceId ?? "", days],
    queryFn: ({ signal }) =>
      call(kindAnalytics, { query: { kind: kind.kind, days, ...(deviceId && { deviceId }) }, signal, quiet: true }),
    staleTime: freshMs,
  });
  return {
    value: data,
    error: error ? asApiError(error) : undefined,
    loading: isFetching,
    reload: () => void refetch(),
    days,
    setDays,
  };
}
