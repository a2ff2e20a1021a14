export {
  eventsFor,
  eventsOf,
  nextState,
  type ProcessDeclaration,
  type ProcessScreen,
  statesOf,
} from "./declaration.ts";
export { process } from "./process.ts";
