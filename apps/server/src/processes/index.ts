export { type Due, type DueRepository, dueRepository } from "./due.repository.ts";
export { type ClockParts, eachDue, eachDueId } from "./due.service.ts";
export { effect } from "./effect.ts";
export { createProcess, type StepParts } from "./process.service.ts";
export { processModule, type RowOf } from "./process-module.ts";
export { remittanceTable } from "./remittance.repository.ts";
export { createRemittances, remittancesTogether } from "./remittance.service.ts";
export { type Changes, changedBy, changeRow, madeBefore, nextNumber } from "./row.repository.ts";
export { tellBy } from "./tell.ts";
