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

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("~kind" in value || "type" in value || "anyOf" in value);

/** Source text of a module with the contract's endpoints and constants, without its schemas. */
export function contractOutline(): string {
  return Object.entries(contract)
    .filter(([, value]) => typeof value !== "function" && !isSchema(value))
    .filter(([name]) => name !== "endpoints")
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(outline(value))};`)
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
