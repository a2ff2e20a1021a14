import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const needs = ["unit", "database", "browser", "faults", "timed"] as const;
type Need = (typeof needs)[number];

/** Files that compare times and need a machine that does nothing else. */
const timed = [
  "tests/threats/existence.test.ts",
  "tests/faults/live-streams.test.ts",
  "tests/faults/refresh-storm.test.ts",
];

/** What takes a minute begins first: at the end of its group it would leave the other cores idle. */
const longest = [
  "tests/e2e/kinds.test.ts",
  "tests/e2e/users.test.ts",
  "tests/e2e/screens-as-administrator.test.ts",
  "tests/e2e/screens-as-owner.test.ts",
  "tests/e2e/accounts.test.ts",
  "tests/e2e/form-kit.test.ts",
  "tests/e2e/list-input.test.ts",
  "apps/server/src/database/backup.test.ts",
  "tests/resources/resources.test.ts",
  "tests/resources/imports.test.ts",
  "tests/threats/default-accounts.test.ts",
  "tests/threats/slow-clients.test.ts",
  "tests/faults/jobs.test.ts",
  "tests/faults/outages.test.ts",
  "tests/faults/ingest-kill.test.ts",
  "tests/faults/start-together.test.ts",
  "tests/faults/stop.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.indexOf(relative(import.meta.dirname, moduleId).replaceAll("\\", "/"));
      return rank === -1 ? longest.length : rank;
    };
    return (await super.sort(specifications)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** The folders with tests, as `include` takes them. */
const all = ["apps/**/*.test.ts", "packages/**/*.test.ts", "tests/**/*.test.ts"];
/** What a run on the embedded server noted of its SQL is checked on a given one. */
const checks = process.env.HERDWISE_TEST_STATEMENTS && process.env.TEST_DATABASE_URL;
const files = globSync(all, { exclude: ["**/node_modules/**", "**/build/**"] })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => checks || path !== "tests/statements.test.ts")
  // What needs several nodes is for `npm run test:cluster`.
  .filter((path) => process.env.HERDWISE_TEST_DISTRIBUTED || !path.endsWith(".cluster.test.ts"));
const sources = new Map(files.map((path) => [path, readFileSync(path, "utf8")]));

/** What a file needs is told by its folder, else by what it imports of the harness. */
function needOf(path: string): Need {
  if (path.startsWith("tests/e2e/")) return "browser";
  if (timed.includes(path)) return "timed";
  if (path.startsWith("tests/faults/") || path.endsWith("/embedded-postgres.test.ts")) return "faults";
  return /harness\/(app|database)\.ts"/.test(sources.get(path) ?? "") ? "database" : "unit";
}

/** A server that flushes its files makes a database in half a second, which another file's tests use. */
const databaseWorkers = process.env.TEST_DATABASE_URL ? 4 : 3;

/**
 * Groups run one after the other, the files of a group beside each other: as many as two cores bear, as each waits for something at
 * times. Faults mostly wait for a process to end or to come back, but load the machine themselves.
 */
const pace: Record<Need, { maxWorkers: number; sequence: { groupOrder: number } }> = {
  unit: { maxWorkers: databaseWorkers, sequence: { groupOrder: 1 } },
  database: { maxWorkers: databaseWorkers, sequence: { groupOrder: 1 } },
  browser: { maxWorkers: 3, sequence: { groupOrder: 2 } },
  faults: { maxWorkers: 2, sequence: { groupOrder: 3 } },
  timed: { maxWorkers: 1, sequence: { groupOrder: 4 } },
};

const isLong = (path: string) => path.endsWith(".long.test.ts");
const hasVolume = (path: string) => /harness\/volume\.ts"/.test(sources.get(path) ?? "");
/** What only root can do is no part of an ordinary user's run. */
const mayRun = (path: string) => process.getuid?.() === 0 || !path.endsWith(".root.test.ts");

/**
 * Two shared cores also run databases, browsers and child processes. What is waited for comes when it comes; limits that matter are
 * asserted. That of a test only ends what hangs, on the slowest machine too, so that few tests need one of their own.
 */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 10_000 } } };

/**
 * V8's flags for the workers of tests. Nearly all of their code runs a few times: to optimize it took a fifth of their processors' time, and
 * small young generations, collected again and again, another twentieth. Servers that tests start have the flags of the product.
 */
const shortLived = ["--no-opt", "--always-sparkplug", "--min-semi-space-size=32", "--max-semi-space-size=64"];

/** Set by scripts/test.mjs, see `isInTurn` in tests/harness/volume.ts. */
const turn = Number(process.env.HERDWISE_TEST_TURN ?? 0);

/**
 * The projects of a run.
 * @param length `short` is `npm test`; `long` (vitest.long.config.ts) takes the tests whose volume it sets and those that are long
 */
export function projectsOf(length: "short" | "long") {
  const chosen = files.filter((path) => (length === "short" ? !isLong(path) : isLong(path) || hasVolume(path)));
  return needs.map((need) => ({
    test: {
      name: need,
      execArgv: shortLived,
      include: chosen.filter((path) => mayRun(path) && needOf(path) === need),
      provide: { runLength: length, turn },
      ...patience,
      ...pace[need],
      // Files of one worker share its modules: to load the server anew for each of them took a quarter of the processors' time.
      // What is killed or measured begins with a process of its own.
      isolate: need === "faults" || need === "timed",
      setupFiles: need === "database" ? ["tests/harness/record-statements.ts"] : [],
      globalSetup: [
        ...(need === "unit" ? [] : ["tests/harness/global-setup.ts"]),
        ...(need === "browser" ? ["tests/harness/portal-setup.ts"] : []),
      ],
    },
  }));
}

/** What all projects have in common. */
export const shared = {
  ...patience,
  sequence: { sequencer: LongestFirst },
  // A failure that is seen once has to tell all: "expected [ Array(1) ]" says nothing of what stood in it.
  chaiConfig: { truncateThreshold: 0 },
};

export default defineConfig({ test: { ...shared, projects: projectsOf("short") } });
