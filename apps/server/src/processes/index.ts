export { createProcess, type StepParts } from "./process.service.ts";
export { tellBy } from "./tell.ts";
