import { type Channel, deviceKinds } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { rejectedPrefix } from "./packing.ts";

/** A device whose history was ordered. */
type NamedDevice = Awaited<ReturnType<HistoryRepository["deviceNames"]>>[number];

/** Rejected readings are stored under keys of their own, which are no columns. */
const isReading = (key: string): boolean => !key.startsWith(rejectedPrefix);

/** Channels by key that the kinds of some devices declare. */
function channelsOf(devices: readonly NamedDevice[]): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  for (const { kind: of } of devices) {
    for (const channel of deviceKinds[of].channels) if (!channels.has(channel.key)) channels.set(channel.key, channel);
  }
  return channels;
}

/**
 * The devices of an export, and the requested keys or else all keys they ever sent, declared ones first.
 * @param mostKeys most keys of an export that names none
 * @throws {Refusal} 404 when the scope does not reach one of the devices
 */
export async function readOrder(
  history: Pick<HistoryRepository, "reached" | "deviceNames">,
  scope: TenantScope,
  { ids, keys }: { ids: readonly string[]; keys?: readonly string[] | undefined },
  mostKeys: number,
) {
  const reached = await history.reached(scope, ids);
  if (ids.some((id) => !reached.has(id))) throw refuse("device.not_found");
  const devices = await history.deviceNames(scope, ids);
  const channels = channelsOf(devices);
  const sent = new Set([...reached.values()].flatMap((device) => device.keys).filter(isReading));
  const declared = [...channels.keys()].filter((key) => sent.has(key));
  const others = [...sent].filter((key) => !channels.has(key)).sort();
  const wanted = keys ?? [...declared, ...others].slice(0, mostKeys);
  return { reached, devices, channels, keys: wanted };
}
