import type { Channel, DeviceKind } from "./device-kind.ts";
import type { JudgedDevice } from "./judge.ts";

/** The channel whose day led to now: that of the worst value, else of the first figure; undefined where none is a number. */
export function trendChannelOf(kind: DeviceKind, { problems }: Pick<JudgedDevice, "problems">): Channel | undefined {
  const keys = [...problems.map(({ key }) => key), ...(kind.pages?.figures ?? [])];
  return keys
    .map((wanted) => kind.channels.find(({ key, type }) => key === wanted && type === "number"))
    .find((channel) => channel !== undefined);
}
