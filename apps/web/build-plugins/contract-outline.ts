import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const packageName = "@herdwise/contract";
const loaderName = `${packageName}/resource-loader`;
/** Begins the ids of the modules that stand for source files of the contract; vite.config.ts groups them by it. */
const prefix = "\0herdwise-contract/";
const sourceFolder = dirname(fileURLToPath(import.meta.resolve(packageName)));
const indexFile = join(sourceFolder, "declarations.ts");

/** Files that use no schemas: the browser gets them as they are. */
const plainFiles = new Set([
  "./account-rules.ts",
  "./document-paths.ts",
  "./home-sections.ts",
  "./plain-text.ts",
  "./resource/index.ts",
  "./rule-reasons.ts",
  "./site-form-number.ts",
  "./video-paths.ts",
]);
/** Files that only the server needs. */
const serverFiles = new Set(["./resource/endpoints.ts", "./resource/process-endpoints.ts"]);

/** What the browser needs of an endpoint: where it is and how it answers. */
function outline(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "path" in value && "method" in value && "form" in value) {
    return { method: value.method, path: value.path, form: value.form };
  }
  return value;
}

/** Source text of a value: JSON, and regular expressions as they are written. */
const sourceOf = (value: unknown): string => (value instanceof RegExp ? String(value) : JSON.stringify(outline(value)));

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("~kind" in value || "type" in value || "anyOf" in value);

const isDeclaration = (value: unknown): value is { name: string } =>
  typeof value === "object" && value !== null && "fields" in value && "table" in value && "menu" in value;

export interface OutlineModule {
  /** Source text with the file's endpoints and constants, without its schemas. */
  source: string;
  names: string[];
  /** Names of exported resource declarations, by the name of the resource. */
  declarations: ReadonlyMap<string, string>;
}

/** Source files that an index lists; the list of a folder stands for the files that it names. */
function listedFiles(index: string): string[] {
  const folder = dirname(index);
  return [...readFileSync(index, "utf8").matchAll(/from "(\.\/[^"]+)"/g)].flatMap(([, path = ""]) => {
    const file = `./${relative(sourceFolder, join(folder, path)).replaceAll("\\", "/")}`;
    if (plainFiles.has(file) || serverFiles.has(file)) return [];
    return file.endsWith("/index.ts") ? listedFiles(join(folder, path)) : [file];
  });
}

/** The contract's source files, as its index lists them, each as a module for the browser. */
export async function contractModules(): Promise<ReadonlyMap<string, OutlineModule>> {
  const modules = new Map<string, OutlineModule>();
  for (const file of listedFiles(indexFile)) {
    const exported = (await import(join(sourceFolder, file))) as Record<string, unknown>;
    const held = Object.entries(exported).filter(
      ([name, value]) => name !== "resources" && typeof value !== "function" && !isSchema(value),
    );
    modules.set(file, {
      source: held.map(([name, value]) => `export const ${name} = ${sourceOf(value)};`).join("\n"),
      names: held.map(([name]) => name),
      declarations: new Map(held.flatMap(([name, value]) => (isDeclaration(value) ? [[value.name, name]] : []))),
    });
  }
  return modules;
}

const idOf = (file: string): string => prefix + file.replace(/^\.\//, "");

function barrel(modules: ReadonlyMap<string, OutlineModule>): string {
  const outlines = [...modules]
    .filter(([, { names }]) => names.length > 0)
    .map(([file, { names }]) => `export { ${names.join(", ")} } from ${JSON.stringify(idOf(file))};`);
  const plain = [...plainFiles].map((file) => `export * from ${JSON.stringify(join(sourceFolder, file))};`);
  return [...outlines, ...plain].join("\n");
}

/** Fetches a declaration when its screen is opened. */
function loader(modules: ReadonlyMap<string, OutlineModule>): string {
  const cases = [...modules].flatMap(([file, { declarations }]) =>
    [...declarations].map(
      ([resource, name]) =>
        `${JSON.stringify(resource)}: () => import(${JSON.stringify(idOf(file))}).then((file) => file.${name})`,
    ),
  );
  return `const held = { ${cases.join(",\n")} };\nexport const loadResource = async (name) => held[name]?.();`;
}

/**
 * Gives the web app the contract's endpoints as plain paths, a module for each source file, so that a page loads those it
 * calls. The types come from the real package; the schemas and typebox (60 kB) check on the server and have no business in
 * a browser.
 */
export function contractOutlinePlugin(): Plugin {
  let modules: Promise<ReadonlyMap<string, OutlineModule>> | undefined;
  const read = (): Promise<ReadonlyMap<string, OutlineModule>> => {
    modules ??= contractModules();
    return modules;
  };
  const found = (id: string) => ({ id, moduleSideEffects: false });
  return {
    name: "herdwise:contract-outline",
    enforce: "pre",
    resolveId: (source) => {
      if (source === packageName) return found(`${prefix}index`);
      if (source === loaderName) return found(`${prefix}loader`);
      return source.startsWith(prefix) ? found(source) : null;
    },
    load: async (id) => {
      if (!id.startsWith(prefix)) return null;
      const file = id.slice(prefix.length);
      if (file === "index") return barrel(await read());
      if (file === "loader") return loader(await read());
      return (await read()).get(`./${file}`)?.source ?? null;
    },
  };
}
