import type { WorkOrder } from "@herdwise/contract";

/** Where the device of an order stands; "" without a device, and where its name tells it. */
export const untoldPlace = ({ place, deviceName }: Pick<WorkOrder, "place" | "deviceName">): string =>
  deviceName === "" || place.split(" / ").every((part) => deviceName.includes(part)) ? "" : place;
