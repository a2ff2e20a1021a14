import { regionLazyTree, regionNames } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { createBatchedLookup } from "../api/batched-lookup.ts";
import { call } from "../api/call.ts";
import { useNames } from "../language/use-names.ts";
import { usePreferences } from "../preferences/preferences.tsx";

/** The country, above its provinces. */
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

/** Names from the province inwards by the code; none for a code that no division has. A list has as many as rows. */
const regions = createBatchedLookup<readonly string[]>(
  (codes) =>
    Array.from({ length: Math.ceil(codes.length / mostAtOnce) }, (_, at) =>
      codes.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
    ),
  async (codes) => {
    const found = await call(regionNames, { query: { codes: codes.join(",") }, quiet: true });
    const names = new Map(found.map((region) => [region.code, region.names]));
    return codes.map((code): [string, readonly string[]] => [code, names.get(code) ?? []]);
  },
);

const isCode = (code: string): boolean => /^\d{2,6}$/.test(code);

/**
 * Names of divisions by their codes in the chosen language, in Chinese from the province inwards, else outwards; a code whose name is not known stands
 * for itself. The function changes when more are known.
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
  // `version` stands for what `regions` holds.
  return useCallback(
    (code) => {
      const names = regions.known(code);
      if (!names) missing.current.add(code);
      if (!names || names.length === 0) return code;
      // A place in English begins with its smallest part.
      return language === "zh" ? names.join(" ") : names.map(nameOf).toReversed().join(", ");
    },
    [language, nameOf, version],
  );
}
