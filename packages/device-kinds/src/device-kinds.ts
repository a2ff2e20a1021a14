/** All kinds, in the order of the menu. */
import { bathroom } from "./bathroom.ts";
import { bungalowDeodorization } from "./bungalow-deodorization.ts";
import { cough } from "./cough.ts";
import { deodorization } from "./deodorization.ts";
import type { Channel, DeviceKind, DeviceKindId } from "./device-kind.ts";
import { disinfect } from "./disinfect.ts";
import { dosingStation } from "./dosing-station.ts";
import { environment } from "./environment.ts";
import { needleless } from "./needleless.ts";
import { temperature } from "./temperature.ts";

export const deviceKinds: Readonly<Record<DeviceKindId, DeviceKind>> = {
  environment,
  needleless,
  cough,
  temperature,
  bathroom,
  disinfect,
  deodorization,
  "bungalow-deodorization": bungalowDeodorization,
  "dosing-station": dosingStation,
};

export const isDeviceKindId = (value: unknown): value is DeviceKindId =>
  typeof value === "string" && Object.hasOwn(deviceKinds, value);

/** The channel of a kind, or undefined for a key it does not declare ("other" on the device page). */
export const channelOf = (kind: DeviceKindId, key: string): Channel | undefined =>
  deviceKinds[kind].channels.find((channel) => channel.key === key);
