import { readFileSync } from "node:fs";

/** Version of this program, as package.json says. */
export const appVersion: string = (
  JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
