import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ExtractedTexts, extractTexts, textsOfSource } from "./extract-texts.ts";

/** Screens that have a dictionary of their own, because the whole one takes a phone's line longer than their scripts. */
interface Part {
  /** What a browser loads for them. */
  entries: readonly string[];
  /** Files that they import and whose texts they do not show. */
  passedBy: ReadonlySet<string>;
  /** Declarations of the contract whose words they show although they load them by name. */
  declarations?: readonly string[];
  /** Modules of the server whose answers they show. */
  serverModules: readonly string[];
}

/** The pages before the log-in. */
const entry: Part = {
  entries: ["root.tsx", "entry.client.tsx", "account/**/*.tsx"],
  // It tells which screens there are; their titles are of no use before the log-in.
  passedBy: new Set(["screens.ts"]),
  serverModules: [
    "accounts",
    "agreements",
    "authorization",
    "captchas",
    "identity",
    "outbox",
    "qr-login",
    "verification",
  ],
};

/** The first screen and the overviews of kinds. */
const overviews: Part = {
  entries: [
    "root.tsx",
    "entry.client.tsx",
    "centre/frame.route.tsx",
    "centre/home/console.route.tsx",
    "centre/kind/overview.route.tsx",
  ],
  passedBy: new Set(["centre/environment/unit-parts.tsx", "centre/alarms/alarm-history.tsx"]),
  declarations: ["trade/declarations.ts", "trade/orders.ts"],
  serverModules: [],
};

/** The page of a driver's link. */
const driver: Part = {
  entries: ["root.tsx", "entry.client.tsx", "driver/**/*.tsx"],
  passedBy: new Set(["screens.ts"]),
  serverModules: [],
};

const relativeImport = /(?:from|import)\s*\(?\s*"(\.[^"]+\.tsx?)"/g;
const contractImport = /import (?:type )?\{([^}]*)\} from "@herdwise\/contract"/g;

/** Source files of the web app that these files import, one by way of another, themselves among them. */
function reached(app: string, { entries, passedBy }: Part): Set<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || passedBy.has(file.slice(app.length + 1)) || !existsSync(file)) return;
    found.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(relativeImport)) visit(join(dirname(file), path));
  };
  for (const name of globSync([...entries], { cwd: app })) if (!name.includes(".test.")) visit(join(app, name));
  return found;
}

function textsOf(root: string, part: Part): ReadonlySet<string> {
  const into: ExtractedTexts = { keys: new Set(), untranslatable: [], templates: new Set() };
  const contract = join(root, "packages/contract/src");
  const contractFiles = globSync("*.ts", { cwd: contract })
    .filter((name) => name !== "index.ts" && !name.includes(".test."))
    .map((name) => readFileSync(join(contract, name), "utf8"));
  const imported = new Set<string>();
  for (const file of reached(join(root, "apps/web/app"), part)) {
    const source = readFileSync(file, "utf8");
    textsOfSource(file, source, into);
    for (const [, names = ""] of source.matchAll(contractImport)) {
      for (const name of names.split(",")) imported.add(name.replace("type ", "").trim());
    }
  }
  for (const source of contractFiles) {
    const exported = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = ""]) => name);
    if (exported.some((name) => imported.has(name))) textsOfSource("contract.ts", source, into);
  }
  for (const name of part.declarations ?? [])
    textsOfSource("contract.ts", readFileSync(join(contract, name), "utf8"), into);
  for (const name of part.serverModules) {
    for (const key of extractTexts(join(root, "apps/server/src/modules", name)).keys) into.keys.add(key);
  }
  return into.keys;
}

/**
 * Chinese texts that pages before the log-in may show.
 * @param root of the repository
 */
export const entryTexts = (root: string): ReadonlySet<string> => textsOf(root, entry);

/**
 * Chinese texts that the first screen and the overviews may show, beside what the server's menus and declarations name.
 * @param root of the repository
 */
export const overviewTexts = (root: string): ReadonlySet<string> => textsOf(root, overviews);

/**
 * Chinese texts that the page of a driver may show, beside refusals of the server.
 * @param root of the repository
 */
export const driverTexts = (root: string): ReadonlySet<string> => textsOf(root, driver);
