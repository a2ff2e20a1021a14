/** Queries over all kinds. */
import type { Channel, DeviceKindId } from "./device-kind.ts";
import { deviceKinds } from "./generated/device-kinds.ts";

export const isDeviceKindId = (value: unknown): value is DeviceKindId =>
  typeof value === "string" && Object.hasOwn(deviceKinds, value);

/** The channel of a kind, or undefined for a key it does not declare ("other" on the device page). */
export const channelOf = (kind: DeviceKindId, key: string): Channel | undefined =>
  deviceKinds[kind].channels.find((channel) => channel.key === key);
