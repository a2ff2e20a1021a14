import type { DeviceKindId } from "@herdwise/contract";
import { bathroomFormulas } from "./bathroom.ts";
import { bungalowDeodorizationFormulas } from "./bungalow-deodorization.ts";
import { deodorizationFormulas } from "./deodorization.ts";
import { disinfectFormulas } from "./disinfect.ts";
import { dosingStationFormulas } from "./dosing-station.ts";
import type { KindFormulas } from "./formula.ts";
import { needlelessFormulas } from "./needleless.ts";
import { temperatureFormulas } from "./temperature.ts";

/** The kinds whose analytics are worked out of records and values. */
export const allFormulas: readonly KindFormulas[] = [
  needlelessFormulas,
  temperatureFormulas,
  bathroomFormulas,
  disinfectFormulas,
  deodorizationFormulas,
  bungalowDeodorizationFormulas,
  dosingStationFormulas,
];

export const formulasOf: ReadonlyMap<DeviceKindId, KindFormulas> = new Map(
  allFormulas.map((formulas) => [formulas.kind, formulas]),
);
