import { regionLazyTree, regionNames } from "@herdwise/contract";
import { isCollectiveRegion } from "@herdwise/contract/collective-region";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { createBatchedLookup } from "../api/batched-lookup.ts";
import { call } from "../api/call.ts";
import { useNames } from "../language/use-names.ts";
import { usePreferences } from "../preferences/preferences.tsx";

/** Code of the country, the parent of provinces. */
export const countryCode = "00";

/** Divisions directly below a code. */
export const useRegions = (parentCode: string | undefined) =>
  useQuery({
    queryKey: ["regions", parentCode],
    queryFn: ({ signal }) =>
      call(regionLazyTree, { query: parentCode === undefined ? {} : { parentCode }, signal, quiet: true }),
    enabled: parentCode !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

const mostAtOnce = 500;

/** Names from the province downwards by code; the requests of all rows of a list are batched. */
const regions = createBatchedLookup<readonly string[]>(
  (codes) =>
    Array.from({ length: Math.ceil(codes.length / mostAtOnce) }, (_, at) =>
      codes.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
    ),
  async (codes) => {
    const found = await call(regionNames, { query: { codes: codes.join(",") }, quiet: true });
    const names = new Map(
      found.map((region) => [region.code, region.names.filter((name) => !isCollectiveRegion(name))]),
    );
    return codes.map((code): [string, readonly string[]] => [code, names.get(code) ?? []]);
  },
);

const isCode = (code: string): boolean => /^\d{2,6}$/.test(code);

/**
 * Returns a function for names of divisions in the chosen language: in Chinese from the province downwards, otherwise upwards;
 * a code is shown itself where there is no name, and not while its name is on the way.
 * The function changes when further names arrive.
 */
export function useRegionNames(): (code: string) => string {
  const { language } = usePreferences();
  const nameOf = useNames();
  const version = useSyncExternalStore(regions.subscribe, regions.version, () => 0);
  const missing = useRef(new Set<string>());
  useEffect(() => {
    for (const code of missing.current) if (isCode(code)) regions.want(code);
    missing.current.clear();
  });
  // `version` changes with the content of `regions`.
  return useCallback(
    (code) => {
      const names = regions.known(code);
      if (!names) {
        missing.current.add(code);
        return isCode(code) ? "…" : code;
      }
      if (names.length === 0) return code;
      // English place names begin with the smallest division.
      return language === "zh" ? names.join(" ") : names.map(nameOf).toReversed().join(", ");
    },
    [language, nameOf, version],
  );
}
