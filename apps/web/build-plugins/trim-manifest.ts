import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  routes: Record<string, { id: string; parentId?: string; imports?: string[] }>;
}

/** The frames of the centre and of the public site, and the screen that comes right after the log-in. */
const frames = ["layoutNew", "site/frame.route"];
const first = "self_home";

/**
 * Takes from the list of routes, which every page loads, what screens of the centre and pages of the site import: the first are fetched
 * ahead in the centre anyway (fetch-ahead.json), the latter come as documents, and their names were a third of the list. Flags that are
 * not set go, too. What the server sends keeps its hints.
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
      if (frames.includes(route.parentId ?? "") && route.id !== first) delete route.imports;
    const trimmed = JSON.stringify(manifest, (_name, value: unknown) => (value === false ? undefined : value));
    await writeFile(path, text.slice(0, begin) + trimmed + text.slice(end));
  }
}
