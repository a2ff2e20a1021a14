import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const packedByBrotli = promisify(brotliCompress);
const packedByGzip = promisify(gzip);

/** Files that shrink, by their ending. Below a kilobyte the headers outweigh what is gained. */
const shrinks = /\.(js|css|svg|json)$/;
const worthwhileBytes = 1024;

/**
 * Lays `<file>.br` and `<file>.gz` beside each text file of a folder, as small as the formats allow: done once at build, it
 * costs the server nothing.
 * @returns how many files got copies
 */
export async function compressFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const packed = entries
    .filter((entry) => entry.isFile() && shrinks.test(entry.name))
    .map(async (entry): Promise<number> => {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      if (content.length < worthwhileBytes) return 0;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await Promise.all([
        packedByBrotli(content, { params }).then((bytes) => writeFile(`${path}.br`, bytes)),
        packedByGzip(content, { level: 9 }).then((bytes) => writeFile(`${path}.gz`, bytes)),
      ]);
      return 1;
    });
  return (await Promise.all(packed)).reduce((sum, one) => sum + one, 0);
}
