// `npm run check`: everything that needs no run of the product. Prints a line per check and fails when one fails.
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { install, node, root } from "./prepare.mjs";

install();
const bin = (path) => join(root, "node_modules", ...path.split("/"));
/** @returns {Promise<{ ok: boolean, output: string }>} */
const run = (args, options = {}) =>
  new Promise((resolve) => {
    execFile(node, args, { cwd: root, maxBuffer: 64 * 1024 * 1024, ...options }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
/** One checker: several, side by side by default, each check the types that they have in common, for more than twice the work. */
const types = (project) => run([bin("@typescript/native/bin/tsc"), "-p", project, "--checkers", "1"]);
const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 }).stdout;

/** Folders whose imports are held against the rules of .dependency-cruiser.cjs. */
const cruised = ["apps/server/src", "apps/simulator/src", "apps/web/app", "packages"];

/** Commits from here on are held to commitlint.config.mjs. */
const firstLinted = "fdb294ae";

const checks = {
  "format and lint (biome)": () => run([bin("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings", "."]),
  "types (server, simulator, packages, tests)": () => types("tsconfig.json"),
  "types (web)": async () => {
    const typegen = await run([bin("@react-router/dev/bin.cjs"), "typegen"], { cwd: join(root, "apps", "web") });
    return typegen.ok ? types("apps/web/tsconfig.json") : typegen;
  },
  "import rules (dependency-cruiser)": async () => {
    const result = await run([
      bin("dependency-cruiser/bin/dependency-cruiser.mjs"),
      "--config",
      ".dependency-cruiser.cjs",
      "--output-type",
      "err-long",
      ...cruised,
    ]);
    const modules = Number(/(\d+) modules/.exec(result.output)?.[1] ?? 0);
    // With a compiler that it can't load it cruises nothing and is silently green.
    return modules > 100 ? result : { ok: false, output: `only ${modules} modules were cruised\n${result.output}` };
  },
  "repositories are told whose rows": () => run([join("scripts", "repository-scopes.ts")]),
  "readings are judged in one place": () => run([join("scripts", "verdict-comparisons.ts")]),
  "nothing is unused (knip)": () => run([bin("knip/bin/knip.js")]),
  "generated files are current": () => run([join("scripts", "generate.ts"), "--check"]),
  "packages are pinned, run nothing unasked and are new enough": () => run([join("scripts", "supply-chain.ts")]),
  "commit messages (commitlint)": () => {
    // A clone without the history has its newest commit alone.
    const range = git("cat-file", "-t", firstLinted).trim() === "commit" ? ["--from", firstLinted] : ["--last"];
    return run([bin("@commitlint/cli/cli.js"), ...range]);
  },
  "no address of a workplace in tracked files": () => {
    const found = git(
      "grep",
      "-nIE",
      "(/root/|/home/[a-z]+/|registry\\.npmjs|npmmirror)",
      "--",
      ".",
      ":!package-lock.json",
      ":!scripts/check.mjs",
    );
    return { ok: found === "", output: found };
  },
};

let failed = 0;
const waiting = Object.entries(checks).values();
/** Two at a time: most of them keep one core busy. */
const worker = async () => {
  for (const [name, check] of waiting) {
    const begun = Date.now();
    const { ok, output } = await check();
    console.log(`${ok ? "ok  " : "FAIL"} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    if (!ok) {
      failed += 1;
      console.log(output.trim());
    }
  }
};
await Promise.all([worker(), worker()]);
console.log(`checks: ${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
