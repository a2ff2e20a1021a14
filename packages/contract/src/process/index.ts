export { eventsFor, eventsOf, nextState, type ProcessDeclaration, statesOf } from "./declaration.ts";
export { process } from "./process.ts";
export { processResource } from "./process-resource.ts";
