import { readFileSync } from "node:fs";
import { join } from "node:path";

const page = readFileSync(join(import.meta.dirname, "../../docs/customers.md"), "utf8");

export interface DocumentedRoute {
  route: string;
  path: string;
  /** Files, from the root. */
  tests: readonly string[];
}

/** Rows of docs/customers.md: self-centre routes have two tests, details of the desk one. */
const rows = [...page.matchAll(/^\| (.+?) \| `(\/[^`]+)` \| (tests\/.+) \|$/gm)].map(
  ([, route = "", path = "", tests = ""]): DocumentedRoute => ({ route, path, tests: tests.split(" | ") }),
);

export const customerRoutes: readonly DocumentedRoute[] = rows.filter(({ tests }) => tests.length === 2);
export const deskRoutes: readonly DocumentedRoute[] = rows.filter(({ tests }) => tests.length === 1);
