import { readFileSync } from "node:fs";
import type * as RawReader from "../../apps/server/src/modules/sheets/raw-reader.ts";
import type { RawRow } from "../../apps/server/src/modules/sheets/sheet-limits.ts";

/**
 * Reads sheets without the process that strangers' sheets are read in, for tests that read hundreds of them: it takes a third of a second
 * to begin. That process and its limits have tests of their own. For `vi.mock` of raw-reader.ts.
 */
export async function readingInProcess(original: () => Promise<unknown>): Promise<typeof RawReader> {
  const { openBook, startsOf } = await import("../../apps/server/src/modules/sheets/open-book.ts");
  const { SheetProblem, sheetLimits } = await import("../../apps/server/src/modules/sheets/sheet-limits.ts");
  const real = (await original()) as typeof RawReader;
  const readRaw: typeof real.readRaw = async function* (path, choose) {
    const batches: RawRow[][] = [];
    try {
      const book = await openBook(readFileSync(path));
      const chosen = choose(await startsOf(book));
      await book.read(chosen, sheetLimits.batchRows, async (rows) => batches.push(rows) > 0);
    } catch (error) {
      throw error instanceof SheetProblem ? real.refusalOf(error.fault) : error;
    }
    yield* batches;
  };
  return { ...real, readRaw };
}
