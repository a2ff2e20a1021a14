/* Made by `npm run generate` from packages/device-kinds/src/kinds. */
import type { DeviceKind, DeviceKindId } from "../device-kind.ts";

/** The declaration of a kind alone, for a page that needs no other. */
export const loadKind: Readonly<Record<DeviceKindId, () => Promise<DeviceKind>>> = {
  environment: async () => (await import("../kinds/environment.ts")).environment,
  needleless: async () => (await import("../kinds/needleless.ts")).needleless,
  cough: async () => (await import("../kinds/cough.ts")).cough,
  temperature: async () => (await import("../kinds/temperature.ts")).temperature,
  bathroom: async () => (await import("../kinds/bathroom.ts")).bathroom,
  disinfect: async () => (await import("../kinds/disinfect.ts")).disinfect,
  deodorization: async () => (await import("../kinds/deodorization.ts")).deodorization,
  "bungalow-deodorization": async () => (await import("../kinds/bungalow-deodorization.ts")).bungalowDeodorization,
  "dosing-station": async () => (await import("../kinds/dosing-station.ts")).dosingStation,
  weighbridge: async () => (await import("../kinds/weighbridge.ts")).weighbridge,
};
