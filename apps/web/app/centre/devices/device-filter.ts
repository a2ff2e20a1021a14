import { type DeviceKindId, type DeviceStatus, deviceKindIds, deviceStatuses } from "@herdwise/contract";
import { useSearchParams } from "react-router";

export const pageSizes = [10, 20, 50, 100] as const;

/** What the list shows; all of it lives in the address. */
export interface DeviceFilter {
  word: string;
  kind: DeviceKindId | undefined;
  status: DeviceStatus | undefined;
  bound: boolean | undefined;
  farmId: string | undefined;
  current: number;
  size: number;
  /** The device whose drawer is open. */
  device: string | undefined;
}

const known = <Value extends string>(value: string | null, allowed: readonly Value[]): Value | undefined =>
  allowed.find((candidate) => candidate === value);

/** Reads the filter out of an address. Unknown values are as good as none. */
export function readDeviceFilter(search: URLSearchParams): DeviceFilter {
  const bound = search.get("bound");
  const current = Number(search.get("current"));
  const size = Number(search.get("size"));
  const farmId = search.get("farm") ?? "";
  const device = search.get("device") ?? "";
  return {
    word: (search.get("name") ?? "").slice(0, 64),
    kind: known(search.get("kind"), deviceKindIds),
    status: known(search.get("status"), deviceStatuses),
    bound: bound === "true" ? true : bound === "false" ? false : undefined,
    farmId: /^\d{1,19}$/.test(farmId) ? farmId : undefined,
    current: Number.isInteger(current) && current > 0 ? current : 1,
    size: pageSizes.find((candidate) => candidate === size) ?? 20,
    device: /^\d{1,19}$/.test(device) ? device : undefined,
  };
}

/** The filter of this page and its setter. A changed condition starts at the first page. */
export function useDeviceFilter(): [DeviceFilter, (change: Record<string, string | undefined>) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (values: Record<string, string | undefined>): void =>
    setSearch(
      (now) => {
        if (!("current" in values) && !("device" in values)) now.delete("current");
        for (const [key, value] of Object.entries(values)) {
          if (value) now.set(key, value);
          else now.delete(key);
        }
        return now;
      },
      { replace: !("device" in values), preventScrollReset: true },
    );
  return [readDeviceFilter(search), change];
}
