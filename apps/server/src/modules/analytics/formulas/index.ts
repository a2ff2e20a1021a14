import type { DeviceKindId } from "@herdwise/contract";
import { bathroomFormulas } from "./bathroom.ts";
import { bungalowDeodorizationFormulas } from "./bungalow-deodorization.ts";
import { coughFormulas } from "./cough.ts";
import { deodorizationFormulas } from "./deodorization.ts";
import { disinfectFormulas } from "./disinfect.ts";
import { dosingStationFormulas } from "./dosing-station.ts";
import { environmentFormulas } from "./environment.ts";
import type { KindFormulas } from "./formula.ts";
import { needlelessFormulas } from "./needleless.ts";
import { temperatureFormulas } from "./temperature.ts";
import { weighbridgeFormulas } from "./weighbridge.ts";

/** How the analytics of each kind are worked out of records and values. */
export const allFormulas: readonly KindFormulas[] = [
  environmentFormulas,
  coughFormulas,
  needlelessFormulas,
  temperatureFormulas,
  bathroomFormulas,
  disinfectFormulas,
  deodorizationFormulas,
  bungalowDeodorizationFormulas,
  dosingStationFormulas,
  weighbridgeFormulas,
];

export const formulasOf: ReadonlyMap<DeviceKindId, KindFormulas> = new Map(
  allFormulas.map((formulas) => [formulas.kind, formulas]),
);
