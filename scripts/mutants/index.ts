import { auditMutants } from "./audit.ts";
import { fileMutants } from "./files.ts";
import { importMutants } from "./imports.ts";
import { jobMutants } from "./jobs.ts";
import { mqttMutants } from "./mqtt.ts";
import type { Mutant } from "./mutant.ts";
import { resourceMutants } from "./resources.ts";
import { sheetMutants } from "./sheets.ts";

/** Every fault that `npm run test:mutants` plants. */
export const mutants: readonly Mutant[] = [
  ...resourceMutants,
  ...importMutants,
  ...auditMutants,
  ...jobMutants,
  ...mqttMutants,
  ...fileMutants,
  ...sheetMutants,
];
