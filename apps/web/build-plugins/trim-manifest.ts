import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  routes: Record<string, { id: string; parentId?: string; imports?: string[] }>;
}

/** The routes of the centre's frame, and the one of them that comes right after the log-in. */
const frame = "layoutNew";
const first = "self_home";

/**
 * Takes from the list of routes, which every page loads, what each screen of the centre imports: these files are fetched ahead in
 * the centre anyway (fetch-ahead.json), and their names were a third of the list. What the server sends keeps its hints.
 * @param folder the built client
 */
export async function trimManifest(folder: string): Promise<void> {
  const names = (await readdir(join(folder, "assets"))).filter((name) => /^manifest-.*\.js$/.test(name));
  for (const name of names) {
    const path = join(folder, "assets", name);
    const text = await readFile(path, "utf8");
    const [begin, end] = [text.indexOf("{"), text.lastIndexOf("}") + 1];
    const manifest = JSON.parse(text.slice(begin, end)) as Manifest;
    for (const route of Object.values(manifest.routes))
      if (route.parentId === frame && route.id !== first) route.imports = [];
    await writeFile(path, text.slice(0, begin) + JSON.stringify(manifest) + text.slice(end));
  }
}
