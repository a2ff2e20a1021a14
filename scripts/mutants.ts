// `npm run test:mutants`: plants faults in a copy of the sources, one at a time, and lists those that no test sees. What is to
// be planted stands in scripts/mutants/. `--only <text>` takes those whose names hold it, `--from <text>` those from the first
// such one on, `--list` prints the names.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { mutants as all } from "./mutants/index.ts";
import { type Mutant, mutantFaults, type Tests } from "./mutants/mutant.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A run that takes longer hangs, which is a failure like any other. */
const limitMs = 180_000;

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    from: { type: "string", default: "" },
    list: { type: "boolean", default: false },
  },
});
const chosen = all
  .slice(all.findIndex(({ name }) => name.includes(flags.from)))
  .filter(({ name }) => flags.only.length === 0 || flags.only.some((text) => name.includes(text)));

/** Aborted by Ctrl-C: what runs ends, the copy and the database go. */
const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort(new Error("stopped")));
process.once("SIGTERM", () => stopping.abort(new Error("stopped")));

/** How a run of tests ended. */
interface Outcome {
  readonly passed: number;
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
  readonly hung: boolean;
  /** What the run said, for one that did not come to its tests. */
  readonly output: string;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Copies what git knows or would take, with packages of its own that lead to the copy. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "herdwise-mutants-"));
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const path of listed.stdout.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { force: true });
  }
  const packages = join(copy, "node_modules");
  mkdirSync(join(packages, "@herdwise"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    // Caches are written to; the workspaces are linked below.
    if (name === "@herdwise" || (name.startsWith(".") && name !== ".bin")) continue;
    symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  for (const folder of ["packages", "apps"]) {
    for (const name of readdirSync(join(copy, folder)))
      symlinkSync(join(copy, folder, name), join(packages, "@herdwise", name));
  }
  return copy;
}

async function runTests(copy: string, { files, names }: Tests, databaseUrl: string): Promise<Outcome> {
  const report = join(copy, "node_modules", "report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const args = ["run", ...files, ...(names === undefined ? [] : ["-t", names]), "--bail=1"];
  const child = spawn(process.execPath, [vitest, ...args, "--reporter=json", `--outputFile=${report}`], {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
    // A group of its own, so that a run that hangs ends with its workers.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    end();
  }, limitMs);
  stopping.signal.addEventListener("abort", end);
  await new Promise((resolve) => child.once("close", resolve));
  stopping.signal.removeEventListener("abort", end);
  clearTimeout(limit);
  stopping.signal.throwIfAborted();
  let read: VitestReport;
  try {
    read = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { passed: 0, failed: [], hung, output };
  }
  const failed = read.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
  );
  return { passed: read.numPassedTests, failed, hung, output };
}

/** Runs `work` with the texts of a mutant in the copy. */
async function planted<T>(copy: string, { edits }: Mutant, work: () => Promise<T>): Promise<T> {
  const held = new Map<string, string>();
  try {
    for (const { file, find, replace } of edits) {
      const path = join(copy, file);
      const text = readFileSync(path, "utf8");
      if (!held.has(path)) held.set(path, text);
      writeFileSync(
        path,
        text.replace(find, () => replace),
      );
    }
    return await work();
  } finally {
    for (const [path, text] of held) writeFileSync(path, text);
  }
}

async function openDatabaseServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  const directory = mkdtempSync(join(tmpdir(), "herdwise-mutants-postgres-"));
  const postgres = await startEmbeddedPostgres({
    directory,
    log: silentLog,
    settings: { fsync: "off", full_page_writes: "off", max_connections: "200" },
  });
  return {
    url: postgres.superuserUrl("postgres"),
    async stop() {
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

if (flags.list) {
  for (const { name } of chosen) console.log(name);
  process.exit(0);
}
const faults = mutantFaults(all, (file) => readFileSync(join(root, file), "utf8"));
if (faults.length > 0 || chosen.length === 0) {
  console.error(faults.length > 0 ? faults.join("\n") : "no mutant has such a name");
  process.exit(1);
}

const copy = copyTree();
const database = await openDatabaseServer();
const survivors: string[] = [];
/** Selections of tests that are red by themselves: their mutants can't be judged. */
const red = new Set<string>();
const begun = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(0)} s`;
try {
  const distinct = new Map(chosen.map(({ tests }) => [JSON.stringify(tests), tests]));
  console.log(`${chosen.length} mutants; first the ${distinct.size} selections of tests as they are`);
  for (const [label, tests] of distinct) {
    const { passed, failed, output } = await runTests(copy, tests, database.url);
    if (failed.length === 0 && passed > 0) {
      console.log(`green     ${String(passed).padStart(4)} tests  ${label}`);
      continue;
    }
    console.error(`RED       without a fault: ${label}\n${failed.join("\n") || output}`);
    red.add(label);
  }
  for (const mutant of chosen.filter(({ tests }) => !red.has(JSON.stringify(tests)))) {
    const from = Date.now();
    const { failed, hung, passed, output } = await planted(copy, mutant, () =>
      runTests(copy, mutant.tests, database.url),
    );
    const seenBy = hung ? "(hangs)" : failed[0];
    if (seenBy !== undefined) {
      console.log(`dead      ${mutant.name.padEnd(90)} ${seconds(from).padStart(5)}  ${seenBy}`);
      continue;
    }
    survivors.push(mutant.name);
    // A fault that keeps the tests from beginning proves nothing about them.
    const why = passed > 0 ? "" : `  no test ran:\n${output.slice(0, 2000)}`;
    console.log(`SURVIVED  ${mutant.name.padEnd(90)} ${seconds(from).padStart(5)}${why}`);
  }
  console.log(`\n${chosen.length} mutants, ${survivors.length} survived, ${seconds(begun)}`);
  for (const name of survivors) console.log(`  ${name}`);
  for (const label of red) console.log(`  not judged, because they are red without a fault: ${label}`);
  if (survivors.length + red.size > 0) process.exitCode = 1;
} finally {
  await database.stop();
  rmSync(copy, { recursive: true, force: true });
}
