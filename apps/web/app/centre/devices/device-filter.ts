import { type DeviceKindId, type DeviceStatus, deviceKindIds, deviceStatuses } from "@herdwise/contract";
import { type ChangeAddress, known, knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";

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

/** Reads the filter out of an address. Unknown values are as good as none. */
function readDeviceFilter(search: URLSearchParams): DeviceFilter {
  const bound = search.get("bound");
  return {
    word: (search.get("name") ?? "").slice(0, 64),
    kind: known(search.get("kind"), deviceKindIds),
    status: known(search.get("status"), deviceStatuses),
    bound: bound === "true" ? true : bound === "false" ? false : undefined,
    farmId: knownId(search.get("farm")),
    ...readPaging(search),
    device: knownId(search.get("device")),
  };
}

/** The filter of this page and its setter. */
export function useDeviceFilter(): [DeviceFilter, ChangeAddress] {
  const [search, change] = useListAddress("device");
  return [readDeviceFilter(search), change];
}
