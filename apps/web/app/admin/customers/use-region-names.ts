import { regionNames } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/call.ts";
import { useNames } from "../../shared/language/use-names.ts";

/** Names of divisions by their codes, from the province inwards, in the chosen language. */
export function useRegionNames(codes: readonly string[]): (code: string) => string {
  const nameOf = useNames();
  const wanted = [...new Set(codes.filter((code) => code !== ""))].sort().join(",");
  const { data } = useQuery({
    queryKey: ["region-names", wanted],
    queryFn: ({ signal }) => call(regionNames, { query: { codes: wanted }, signal, quiet: true }),
    enabled: wanted !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (code) => {
    const names = data?.find((one) => one.code === code)?.names ?? [];
    return names.map(nameOf).join(" ");
  };
}
