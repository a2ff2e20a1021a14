/* Made by `npm run generate` from packages/device-kinds/src/kinds. */
import type { DeviceKind, DeviceKindId } from "../device-kind.ts";
import { bathroom } from "../kinds/bathroom.ts";
import { bungalowDeodorization } from "../kinds/bungalow-deodorization.ts";
import { cough } from "../kinds/cough.ts";
import { deodorization } from "../kinds/deodorization.ts";
import { disinfect } from "../kinds/disinfect.ts";
import { dosingStation } from "../kinds/dosing-station.ts";
import { environment } from "../kinds/environment.ts";
import { needleless } from "../kinds/needleless.ts";
import { temperature } from "../kinds/temperature.ts";
import { weighbridge } from "../kinds/weighbridge.ts";

/** All kinds, in the order of the menu. */
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
  weighbridge,
};
