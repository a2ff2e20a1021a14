// The process that reads a sheet somebody sent. It holds nothing of the server: what a sheet does to it ends with it.

import { readFileSync } from "node:fs";
import { openBook, startsOf } from "./open-book.ts";
import { SheetProblem, sheetLimits } from "./sheet-limits.ts";

const [, , path = ""] = process.argv;

/** The server's answer to what was sent; without the server there is nothing to go on for. */
const answer = (): Promise<unknown> => new Promise((resolve) => process.once("message", resolve));
process.on("disconnect", () => process.exit());
const tell = (message: unknown): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

try {
  const book = await openBook(readFileSync(path));
  const starts = await startsOf(book);
  const chosen = answer();
  await tell({ starts });
  await book.read(Number(await chosen), sheetLimits.batchRows, async (rows) => {
    const taken = answer();
    await tell({ rows });
    return (await taken) === true;
  });
  await tell({ end: true });
} catch (error) {
  await tell({ fault: error instanceof SheetProblem ? error.fault : "unreadable" });
}
process.disconnect();
