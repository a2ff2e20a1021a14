// The process that reads a sheet somebody sent. It holds nothing of the server: what a sheet does to it ends with it.

import { readFileSync } from "node:fs";
import { SheetProblem } from "./sheet-limits.ts";
import { readXls } from "./xls-rows.ts";
import { readXlsx } from "./xlsx-rows.ts";

const [, , path = ""] = process.argv;

/** The server's word that it took what was sent; without the server there is nothing to go on for. */
const answer = (): Promise<boolean> =>
  new Promise((resolve) => process.once("message", (message) => resolve(message === true)));
process.on("disconnect", () => process.exit());
const tell = (message: unknown): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

try {
  const bytes = readFileSync(path);
  const compoundFile = bytes.subarray(0, 8).toString("hex") === "d0cf11e0a1b11ae1";
  const archive = bytes.subarray(0, 4).toString("hex") === "504b0304";
  if (!compoundFile && !archive) throw new SheetProblem("unreadable");
  const reading = (compoundFile ? readXls : readXlsx)(bytes, async (rows) => {
    const taken = answer();
    await tell({ rows });
    return taken;
  });
  await reading;
  await tell({ end: true });
} catch (error) {
  await tell({ fault: error instanceof SheetProblem ? error.fault : "unreadable" });
}
process.disconnect();
