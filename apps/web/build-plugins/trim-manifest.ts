import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Route {
  id: string;
  parentId?: string;
  hasDefaultExport?: boolean;
  module: string;
  imports?: string[];
  css: string[];
  [more: string]: unknown;
}

interface Manifest {
  routes: Record<string, Route>;
}

/** The frames of the centre and of the public site, and the screen that comes right after the log-in. */
const centre = "layoutNew";
const frames = [centre, "site/frame.route"];
const first = "self_home";
const folderOfFiles = "/assets/";
const endOfModules = ".js";

const fileOf = (address: string): string => address.slice(folderOfFiles.length);

/**
 * Source text that makes the list of routes again: files that several routes need are named once and stand as their places, and what
 * nearly all routes have alike is left out of each.
 */
export function compactManifest(manifest: Manifest): string {
  const routes = Object.values(manifest.routes);
  const uses = new Map<string, number>();
  for (const file of routes.flatMap(({ imports = [], css }) => [...imports, ...css]).map(fileOf))
    uses.set(file, (uses.get(file) ?? 0) + 1);
  // Most used first: short places for those that come often.
  const files = [...uses.keys()].toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
  const places = new Map(files.map((file, place) => [file, place]));
  const placesOf = (addresses: readonly string[]) => addresses.map((address) => places.get(fileOf(address)));
  const short = Object.fromEntries(
    routes.map(({ id, parentId, hasDefaultExport, module, imports, css, ...rest }) => [
      id,
      {
        ...rest,
        ...(parentId !== centre && { parentId: parentId ?? null }),
        ...(!hasDefaultExport && { hasDefaultExport: false }),
        module: fileOf(module).slice(0, -endOfModules.length),
        ...(imports && { imports: placesOf(imports) }),
        ...(css.length > 0 && { css: placesOf(css) }),
      },
    ]),
  );
  const restore = `(m,f,n=l=>l&&l.map(i=>"${folderOfFiles}"+f[i]))=>{for(const id in m.routes){const r=m.routes[id];m.routes[id]={id,parentId:"${centre}",hasDefaultExport:true,...r,module:"${folderOfFiles}"+r.module+"${endOfModules}",imports:n(r.imports),css:n(r.css)||[]}}return m}`;
  return `(${restore})(${JSON.stringify({ ...manifest, routes: short })},${JSON.stringify(files.join(" "))}.split(" "))`;
}

/**
 * Takes from the list of routes, which every page loads, what screens of the centre and pages of the site import: the first are fetched
 * ahead in the centre anyway (fetch-ahead.json), the latter come as documents, and their names were a third of the list. Flags that are
 * not set go, too, and the rest is written shortly. What the server sends keeps its hints.
 * @param folder the built client
 */
export async function trimManifest(folder: string): Promise<void> {
  const names = (await readdir(join(folder, "assets"))).filter((name) => /^manifest-.*\.js$/.test(name));
  for (const name of names) {
    const path = join(folder, "assets", name);
    const text = await readFile(path, "utf8");
    const [begin, end] = [text.indexOf("{"), text.lastIndexOf("}") + 1];
    // Flags that are not set say nothing.
    const manifest = JSON.parse(text.slice(begin, end), (_name, value: unknown) =>
      value === false ? undefined : value,
    ) as Manifest;
    for (const route of Object.values(manifest.routes))
      if (frames.includes(route.parentId ?? "") && route.id !== first) delete route.imports;
    await writeFile(path, text.slice(0, begin) + compactManifest(manifest) + text.slice(end));
  }
}
