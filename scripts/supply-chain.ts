import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An entry of `packages` in package-lock.json. */
export interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  /** SPDX expression. */
  license?: string;
  /** Only for development, no part of what is delivered. */
  dev?: boolean;
}

/** Licences under which the product may deliver a package (SPDX); libraries under the LGPL are loaded as files of their own. */
const allowedLicences: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
];
/** Packages that tell their licence in a file or a form that the lock file does not take over. */
const toldElsewhere: Readonly<Record<string, string>> = { jstat: "MIT", "png-js": "MIT" };

/** Packages below these versions have a published weakness that the product is open to; the reason names it. */
export const leastVersions: Readonly<Record<string, readonly [least: string, reason: string]>> = {
  fastify: ["5.3.2", "validation passed by with another content type (CVE-2025-32442)"],
  "find-my-way": ["9.0.1", "patterns of routes that take exponential time (CVE-2024-45813)"],
  "@fastify/multipart": ["9.0.3", "files of uploads that were broken off stay (CVE-2025-24033)"],
  "react-router": ["7.5.2", "pages that a header replaces (CVE-2025-43864, CVE-2025-43865)"],
  "sanitize-html": ["2.12.1", "files of the server told by source maps (CVE-2024-21501)"],
  "@e965/xlsx": ["0.20.2", "sheets that take exponential time (CVE-2024-22363)"],
  sharp: ["0.32.6", "a write beyond the memory of WebP pictures (CVE-2023-4863)"],
  ws: ["8.17.1", "many headers end the server (CVE-2024-37890)"],
  koa: ["3.0.1", "redirects to other sites (CVE-2025-8129)"],
  jose: ["4.15.5", "compressed tokens that fill the memory (CVE-2024-28176)"],
  cookie: ["0.7.0", "names of cookies that set other fields (CVE-2024-47764)"],
  nanoid: ["3.3.8", "ids that can be foretold (CVE-2024-55565)"],
  nodemailer: ["7.0.7", "addresses in quotes that go elsewhere (GHSA-mm7p-fcc7-pg87)"],
  lodash: ["4.17.21", "code in templates (CVE-2021-23337)"],
  "js-yaml": ["4.1.1", "fields of the prototype (CVE-2025-64718)"],
  "@babel/helpers": ["7.26.10", "replacements that take quadratic time (CVE-2025-27789)"],
  postcss: ["8.4.31", "rules hidden in comments (CVE-2023-44270)"],
  vite: ["6.3.4", "files outside of the project (CVE-2025-46565)"],
};

const nameAt = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const licenceOf = (path: string, { license }: LockedPackage): string | undefined =>
  license ?? toldElsewhere[nameAt(path)];

/** Whether an SPDX expression of AND and OR leaves a licence that the product may deliver under. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => allowedLicences.includes(one.trim())));

/** The packages that are delivered, a line each with version and licence, in alphabetical order. */
export const licenceLines = (packages: Readonly<Record<string, LockedPackage>>): string[] => [
  ...new Set(
    Object.entries(packages)
      .filter(([path, entry]) => path.includes("node_modules/") && !entry.link && !entry.dev)
      .map(([path, entry]) => `${nameAt(path)} ${entry.version} ${licenceOf(path, entry)}`)
      .toSorted(),
  ),
];

const numbersOf = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number);
const isBelow = (version: string, least: string): boolean => {
  const [is, needs] = [numbersOf(version), numbersOf(least)];
  const at = is.findIndex((number, place) => number !== needs[place]);
  return at >= 0 && (is[at] ?? 0) < (needs[at] ?? 0);
};

/**
 * What of the packages that a lock file brings is not as it has to be: each is pinned by its checksum and by no host, programs run
 * at its installation only where `allowed` says so, none is older than its least version, and each that is delivered has a licence
 * that permits it. Empty when all is well.
 * @param allowed names of packages, from `allowScripts` of package.json
 */
export function supplyChainFaults(
  packages: Readonly<Record<string, LockedPackage>>,
  allowed: Readonly<Record<string, boolean>>,
  least = leastVersions,
): string[] {
  const faults: string[] = [];
  const scripted = new Set<string>();
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes("node_modules/") || entry.link) continue;
    const name = nameAt(path);
    const licence = licenceOf(path, entry);
    if (!entry.dev && (licence === undefined || !isAllowed(licence)))
      faults.push(`${path} is delivered under ${licence ?? "no licence"}, which the product may not do`);
    if (!entry.inBundle && !entry.integrity) faults.push(`${path} has no checksum`);
    if (entry.resolved?.startsWith("http")) faults.push(`${path} names a host`);
    if (entry.hasInstallScript) scripted.add(name);
    if (entry.hasInstallScript && allowed[name] !== true)
      faults.push(`${path} runs a program when it is installed, which allowScripts of package.json does not name`);
    const [version, reason] = least[name] ?? [];
    if (version !== undefined && entry.version !== undefined && isBelow(entry.version, version))
      faults.push(`${path} is ${entry.version}, at least ${version} is needed: ${reason}`);
  }
  for (const name of Object.keys(allowed).filter((one) => !scripted.has(one)))
    faults.push(`allowScripts of package.json names ${name}, which runs none`);
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", name), "utf8"));
  const { packages } = read("package-lock.json");
  const faults = supplyChainFaults(packages, read("package.json").allowScripts);
  for (const fault of faults) console.error(fault);
  const lines = licenceLines(packages);
  mkdirSync(join(import.meta.dirname, "..", "build"), { recursive: true });
  writeFileSync(join(import.meta.dirname, "..", "build", "licences.txt"), `${lines.join("\n")}\n`);
  console.log(
    `${Object.keys(packages).length} packages were looked at; build/licences.txt lists the ${lines.length} of the product`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
}
