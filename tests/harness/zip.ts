import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { open } from "yauzl";

/** Files of a zip by their names. */
export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-my-data-"));
  const path = join(folder, "my-data.zip");
  await writeFile(path, bytes);
  const files = new Map<string, Buffer>();
  try {
    await new Promise<void>((resolve, reject) => {
      open(path, { lazyEntries: true }, (error, zip) => {
        if (error) return reject(error);
        zip.on("entry", (entry: { fileName: string }) =>
          zip.openReadStream(entry as never, async (problem, stream) => {
            if (problem) return reject(problem);
            files.set(entry.fileName, await buffer(stream));
            zip.readEntry();
          }),
        );
        zip.on("end", resolve).on("error", reject);
        zip.readEntry();
      });
    });
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}
