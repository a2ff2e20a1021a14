import { alarmMutants } from "./alarms.ts";
import { auditMutants } from "./audit.ts";
import { budgetMutants } from "./budgets.ts";
import { closingMutants } from "./closing.ts";
import { commandMutants } from "./commands.ts";
import { contractMutants } from "./contracts.ts";
import { customerMutants } from "./customers.ts";
import { farmMutants } from "./farms.ts";
import { fileMutants } from "./files.ts";
import { importMutants } from "./imports.ts";
import { jobMutants } from "./jobs.ts";
import { mqttMutants } from "./mqtt.ts";
import type { Mutant } from "./mutant.ts";
import { passwordMutants } from "./passwords.ts";
import { priceMutants } from "./prices.ts";
import { processMutants } from "./processes.ts";
import { realNameMutants } from "./real-name.ts";
import { rejectedMutants } from "./rejected.ts";
import { resetMutants } from "./resets.ts";
import { resourceMutants } from "./resources.ts";
import { screenMutants } from "./screens.ts";
import { sessionMutants } from "./sessions.ts";
import { sheetMutants } from "./sheets.ts";
import { siteMutants } from "./site.ts";
import { takeOverMutants } from "./take-overs.ts";
import { telemetryMutants } from "./telemetry.ts";
import { tradeMutants } from "./trade.ts";
import { transportMutants } from "./transport.ts";
import { verdictMutants } from "./verdicts.ts";
import { workOrderMutants } from "./work-orders.ts";

/** Every fault that `npm run test:mutants` plants. */
export const mutants: readonly Mutant[] = [
  ...alarmMutants,
  ...rejectedMutants,
  ...resourceMutants,
  ...processMutants,
  ...importMutants,
  ...auditMutants,
  ...jobMutants,
  ...tradeMutants,
  ...mqttMutants,
  ...commandMutants,
  ...farmMutants,
  ...fileMutants,
  ...sheetMutants,
  ...sessionMutants,
  ...resetMutants,
  ...budgetMutants,
  ...passwordMutants,
  ...priceMutants,
  ...transportMutants,
  ...takeOverMutants,
  ...telemetryMutants,
  ...closingMutants,
  ...customerMutants,
  ...siteMutants,
  ...verdictMutants,
  ...workOrderMutants,
  ...contractMutants,
  ...realNameMutants,
  ...screenMutants,
];
