import { useCallback } from "react";
import { type ChangeAddress, useAddress, withValues } from "../address/use-address.ts";

/** A value of the address if it is one of the allowed. */
export const known = <Value extends string>(value: string | null, allowed: readonly Value[]): Value | undefined =>
  allowed.find((candidate) => candidate === value);

/** An id of the address, if it has the form of one. */
export const knownId = (value: string | null): string | undefined =>
  value !== null && /^\d{1,19}$/.test(value) ? value : undefined;

/**
 * The address that holds what a list shows, and its setter. Opening a row is a step that the browser's way back undoes, a
 * changed condition is not.
 * @param row name of the parameter that holds the open row
 */
export function useListAddress(row: string): [URLSearchParams, ChangeAddress] {
  const [search, write] = useAddress();
  const change = useCallback<ChangeAddress>(
    (values) => write((now) => withValues(now, values), { replace: !(row in values), preventScrollReset: true }),
    [write, row],
  );
  return [search, change];
}
