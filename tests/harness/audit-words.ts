import * as contract from "@herdwise/contract";
import type { ProcessDeclaration } from "@herdwise/contract/process";

const isProcess = (value: unknown): value is ProcessDeclaration =>
  typeof value === "object" && value !== null && "parties" in value && "events" in value && "start" in value;

/** Every process that the contract declares. */
export const declaredProcesses: readonly ProcessDeclaration[] = Object.values<unknown>(contract).filter(isProcess);
