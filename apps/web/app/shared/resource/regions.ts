import { regionLazyTree, regionNames } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import { useNames } from "../language/use-names.ts";

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

/** Codes of one moment go in one request: a list has as many as rows. */
const batchAfterMs = 20;
const mostAtOnce = 500;

const known = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();
const wanted = new Set<string>();
let version = 0;
let waiting = false;

async function ask(): Promise<void> {
  waiting = false;
  const codes = [...wanted].slice(0, mostAtOnce);
  for (const code of codes) wanted.delete(code);
  if (wanted.size > 0) later();
  // Without an answer the codes stand for themselves, and are asked for again when they are shown again.
  const found = await call(regionNames, { query: { codes: codes.join(",") }, quiet: true }).catch(() => undefined);
  if (!found) return;
  for (const code of codes) known.set(code, []);
  for (const { code, names } of found) known.set(code, names);
  version += 1;
  for (const listener of listeners) listener();
}

function later(): void {
  if (waiting) return;
  waiting = true;
  setTimeout(() => void ask(), batchAfterMs);
}

function want(code: string): void {
  if (known.has(code) || !/^\d{2,6}$/.test(code)) return;
  wanted.add(code);
  later();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Names of divisions by their codes in the chosen language, from the province inwards; a code whose name is not known stands
 * for itself. The function changes when more are known.
 */
export function useRegionNames(): (code: string) => string {
  const nameOf = useNames();
  const now = useSyncExternalStore(
    subscribe,
    () => version,
    () => 0,
  );
  const missing = useRef(new Set<string>());
  useEffect(() => {
    for (const code of missing.current) want(code);
    missing.current.clear();
  });
  // `now` stands for what `known` holds.
  return useCallback(
    (code) => {
      const names = known.get(code);
      if (!names) missing.current.add(code);
      return names && names.length > 0 ? names.map(nameOf).join(" ") : code;
    },
    [nameOf, now],
  );
}
