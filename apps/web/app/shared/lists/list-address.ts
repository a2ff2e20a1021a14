import { useCallback } from "react";
import { type ChangeAddress, useAddress, withValues } from "../address/use-address.ts";

/** Rows a page may show (decisions.md 11). */
export const pageSizes = ["20", "50", "100"] as const;

/** Page number and size as an address holds them; what is unknown or out of range is as good as none. */
export function readPaging(search: URLSearchParams): { current: number; size: number } {
  const current = Number(search.get("current"));
  return {
    current: Number.isInteger(current) && current > 0 ? current : 1,
    size: Number(pageSizes.find((size) => size === search.get("size")) ?? 20),
  };
}

/** A value of the address if it is one of the allowed. */
export const known = <Value extends string>(value: string | null, allowed: readonly Value[]): Value | undefined =>
  allowed.find((candidate) => candidate === value);

/** An id of the address, if it has the form of one. */
export const knownId = (value: string | null): string | undefined =>
  value !== null && /^\d{1,19}$/.test(value) ? value : undefined;

/**
 * The address that holds what a list shows, and its setter. A changed condition starts at the first page; opening a row is
 * a step that the browser's way back undoes, a changed condition is not.
 * @param row name of the parameter that holds the open row
 */
export function useListAddress(row: string): [URLSearchParams, ChangeAddress] {
  const [search, write] = useAddress();
  const change = useCallback<ChangeAddress>(
    (values) =>
      write(
        (now) => {
          if (!("current" in values) && !(row in values)) now.delete("current");
          return withValues(now, values);
        },
        { replace: !(row in values), preventScrollReset: true },
      ),
    [write, row],
  );
  return [search, change];
}
