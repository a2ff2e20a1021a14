/**
 * Runs the benches one after the other and prints one table of all goals with their bounds and the ceilings of the same run.
 * `--only ingest,history` runs some of them; `--write` keeps the table in docs/performance.md, where rows of benches that did not run stay
 * with their day. Takes an hour on two cores; nothing else should run meanwhile.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Goal, holds } from "./goals.ts";

/** Benches with the words that they are called with. */
const benches: Readonly<Record<string, readonly string[]>> = {
  ingest: [],
  history: [],
  live: [],
  fleet: [],
  structure: [],
  find: [],
  lists: [],
  import: [],
  trade: [],
  home: [],
  site: [],
  pages: [],
};

const { values: flags } = parseArgs({
  options: { only: { type: "string", default: "" }, write: { type: "boolean", default: false } },
});
const wanted = flags.only === "" ? Object.keys(benches) : flags.only.split(",");
for (const name of wanted) if (!(name in benches)) throw new Error(`There is no bench named ${name}`);

interface Result {
  readonly bench: string;
  readonly seconds: number;
  readonly code: number | null;
  readonly goals: readonly Goal[];
}

async function run(bench: string, directory: string): Promise<Result> {
  const file = join(directory, bench);
  await writeFile(file, "");
  const begun = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${bench}.ts`), ...(benches[bench] ?? [])], {
    stdio: "inherit",
    env: { ...process.env, HERDWISE_BENCH_GOALS: file },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  const goals = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Goal => JSON.parse(line));
  return { bench, seconds: (performance.now() - begun) / 1000, code, goals };
}

/** Three digits that say something. */
const figure = (value: number): string =>
  Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** The day of this run. */
const day = new Date().toISOString().slice(0, 10);

function rowOf(bench: string, goal: Goal): string {
  const { name, measured, unit, limit, side = "most", ceiling } = goal;
  const inUnit = (value: number): string => `${figure(value)} ${unit}`.trim();
  const bound = limit === undefined ? "" : `${side === "most" ? "≤" : "≥"} ${inUnit(limit)}`;
  const best = ceiling === undefined ? "" : `${ceiling.what}: ${inUnit(ceiling.measured)}`;
  const ratio = ceiling === undefined ? "" : (measured / ceiling.measured).toFixed(2);
  const verdict = limit === undefined ? "" : holds(goal) ? "holds" : "**broken**";
  return `| ${[bench, name, inUnit(measured), bound, best, ratio, verdict, day].join(" | ")} |`;
}

/** The rows of one bench in a page that was written before. */
function keptRows(page: string, bench: string): string[] {
  return page.split("\n").filter((line) => line.startsWith(`| ${bench} | `) && line.split("|").length === 10);
}

const directory = await mkdtemp(join(tmpdir(), "herdwise-goals-"));
try {
  const results: Result[] = [];
  for (const bench of wanted) {
    console.log(`\n== ${bench}`);
    results.push(await run(bench, directory));
  }
  const silent = results.filter(({ goals }) => goals.length === 0);
  const page = new URL("../docs/performance.md", import.meta.url);
  const text = await readFile(page, "utf8");
  const rows = Object.keys(benches).flatMap((bench) => {
    const result = results.find((one) => one.bench === bench);
    if (result !== undefined) return result.goals.map((goal) => rowOf(bench, goal));
    return flags.write ? keptRows(text, bench) : [];
  });
  const table = [
    `Measured on ${cpus().length} cores shared with the load, Node ${process.versions.node}.`,
    "",
    "| bench | goal | measured | bound | ceiling of the same run | of it | | day |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    ...silent.map(({ bench, code }) => `${bench} told no goal: it ended with ${code}.\n`),
  ].join("\n");
  console.log(`\n${table}`);
  for (const { bench, seconds } of results) console.log(`${bench} took ${Math.round(seconds)} s`);
  if (flags.write) {
    const marks = ["<!-- table begins -->\n", "<!-- table ends -->"] as const;
    const [from, to] = [text.indexOf(marks[0]) + marks[0].length, text.indexOf(marks[1])];
    if (from < marks[0].length || to < from) throw new Error("docs/performance.md has lost the marks of its table");
    await writeFile(page, `${text.slice(0, from)}\n${table}\n${text.slice(to)}`);
  }
  const broken = results.some(({ code, goals }) => code !== 0 || !goals.every(holds));
  process.exitCode = broken || silent.length > 0 ? 1 : 0;
} finally {
  await rm(directory, { recursive: true, force: true });
}
