import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Scripts and styles of screens; the site's own script belongs to pages that are loaded whole. */
const ofScreens = /^(?!site-script|server-build).*\.(js|css)$/;

/**
 * Writes `fetch-ahead.json`: the addresses of all files that a screen may need, for centre/fetch-ahead.ts.
 * @param folder the built client
 */
export async function writeFetchAheadList(folder: string): Promise<void> {
  const names = (await readdir(join(folder, "assets"))).filter((name) => ofScreens.test(name)).toSorted();
  await writeFile(join(folder, "fetch-ahead.json"), JSON.stringify(names.map((name) => `/assets/${name}`)));
}
