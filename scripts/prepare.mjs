// Runs on any Node from 20.19 on and without packages: it is what makes them present.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const installStamp = join(root, "node_modules", ".herdwise-installed");
const buildStamp = join(root, "apps", "web", "build", ".herdwise-built");

/** Node 24, which the lock file brings. */
export const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/**
 * By itself Node sets aside up to 128 MB for new objects on a large machine; a quarter of that serves the requests as well. It is
 * fixed when the process begins, so it can't stand in the server's code.
 */
export const serverFlags = ["--max-semi-space-size=16"];

/**
 * glibc gives each thread that allocates a heap of its own, up to eight times the number of cores, and keeps what is freed there for
 * later: after the first pictures and sheets the server held 150 MB that nothing used. Two such heaps, and what is free at their ends
 * goes back. Other C libraries ignore these.
 */
export const serverMemory = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** What Node compiled and stripped of types is kept: each further start of the server takes half the processor time. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node") };

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const hashOf = (paths) => {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex");
};

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Node ${process.versions.node} is too old. Herdwise needs Node 20.19 or newer to begin with; it brings its own from there.`,
  );
  process.exit(1);
}

/** Runs npm as the npm that runs this script, or the one in the PATH. */
function npm(args) {
  const own = process.env.npm_execpath;
  const [command, first] = own ? [process.execPath, [own]] : ["npm", []];
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: !own && process.platform === "win32",
  });
}

/** Installs what the lock file names, when that has not been done yet. */
export function install() {
  requireNode();
  const wanted = hashOf(["package-lock.json", "package.json"]);
  if (read(installStamp) === wanted && existsSync(node)) return;
  console.log("Installing packages ...");
  // `npm ci` replaces the node that may run this very script, so npm must not be started from there.
  const result = npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (result.status !== 0 || !existsSync(node)) {
    console.error("The packages could not be installed; the lines above say why.");
    process.exit(result.status || 1);
  }
  writeFileSync(installStamp, wanted);
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .filter((path) => !/[\\/](build|node_modules|\.react-router)[\\/]|\.test\.tsx?$/.test(path))
    .sort();
}

/** Builds the web app when its sources changed since the last build. */
export function build() {
  const wanted = hashOf([...filesBelow("apps/web"), ...filesBelow("packages"), "package-lock.json"]);
  if (read(buildStamp) === wanted) return;
  console.log("Building the web app ...");
  const cli = join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(node, [cli, "build"], {
    cwd: join(root, "apps", "web"),
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (result.status !== 0) {
    console.error(result.stdout + result.stderr);
    process.exit(result.status || 1);
  }
  writeFileSync(buildStamp, wanted);
}
