export {
  type Deadline,
  eventsFor,
  eventsOf,
  listOf,
  nextState,
  type ProcessDeclaration,
  statesOf,
} from "./declaration.ts";
export { process } from "./process.ts";
export { processResource } from "./process-resource.ts";
