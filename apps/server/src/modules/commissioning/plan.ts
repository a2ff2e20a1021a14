import { type DeviceKind, type DeviceKindId, deviceKinds } from "@herdwise/device-kinds";
import type { NewItem } from "./commissioning.repository.ts";

/** A device of a unit, with the keys of the readings that it ever told. */
export interface PlannedDevice {
  id: string;
  kind: DeviceKindId;
  reported: readonly string[];
}

/** Channels of every device by which its connection is judged. */
const linkKeys = ["rssi", "clock_offset"] as const;

/** Channels of a connection that a kind has. */
export const linkKeysOf = (kind: DeviceKind): string[] =>
  linkKeys.filter((key) => kind.channels.some((channel) => channel.key === key));

function itemsOf({ id: deviceId, kind: kindId, reported }: PlannedDevice): NewItem[] {
  const kind: DeviceKind = deviceKinds[kindId];
  const { warmed = [], switched = [], settings = [] } = kind.commissioning ?? {};
  // A device that told its values before tells which parts it has; one that never did is asked for all of them.
  const has = (key: string): boolean => reported.length === 0 || reported.includes(key);
  const item = (check: NewItem["check"], part = ""): NewItem => ({ check, deviceId, part });
  return [
    item("label"),
    item("fixed"),
    ...(linkKeysOf(kind).length > 0 ? [item("link")] : []),
    ...(settings.length > 0 ? [item("settings")] : []),
    ...warmed.filter(has).map((key) => item("probe", key)),
    ...switched.filter(({ machines }) => machines.some(({ key }) => has(key))).map(({ id }) => item("machines", id)),
  ];
}

/** What is checked in a unit with these devices. */
export const planOf = (devices: readonly PlannedDevice[]): NewItem[] => [
  ...devices.flatMap(itemsOf),
  { check: "alarm", deviceId: null, part: "" },
];
