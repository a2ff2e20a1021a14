import * as contract from "@herdwise/contract";
import type { Plugin } from "vite";

const moduleName = "@herdwise/contract";
const virtualId = "\0herdwise-contract-outline";

/** What the browser needs of an endpoint: where it is and how it answers. */
function outline(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "path" in value && "method" in value && "form" in value) {
    return { method: value.method, path: value.path, form: value.form };
  }
  return value;
}

/**
 * Checks of the contract that forms run as well. Their source goes along as it is, so they may use nothing but each other
 * and the contract's constants; contract-outline.test.ts runs them.
 */
const carried: readonly string[] = ["passwordProblem", "usernameProblem", "normalizeMobilePhone"];

/** Source text of a value: JSON, and regular expressions as they are written. */
const sourceOf = (value: unknown): string =>
  value instanceof RegExp || typeof value === "function" ? String(value) : JSON.stringify(outline(value));

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("~kind" in value || "type" in value || "anyOf" in value);

/** Source text of a module with the contract's endpoints and constants, without its schemas. */
export function contractOutline(): string {
  return Object.entries(contract)
    .filter(([name, value]) => carried.includes(name) || (typeof value !== "function" && !isSchema(value)))
    .filter(([name]) => name !== "endpoints")
    .map(([name, value]) => `export const ${name} = ${sourceOf(value)};`)
    .join("\n");
}

/**
 * Gives the web app the contract's endpoints as plain paths. The types come from the real package; the schemas and
 * typebox (60 kB) check on the server and have no business in a browser.
 */
export function contractOutlinePlugin(): Plugin {
  return {
    name: "herdwise:contract-outline",
    enforce: "pre",
    resolveId: (source) => (source === moduleName ? virtualId : null),
    load: (id) => (id === virtualId ? contractOutline() : null),
  };
}
