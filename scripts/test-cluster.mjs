// `npm run test:cluster`: runs the suites of storage, telemetry, alarms and history on a Citus cluster that already runs, once with
// telemetry on the coordinator and once distributed, then the loss of a worker. It builds and starts nothing.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { compileCache, install, node, root } from "./prepare.mjs";

const usualUrl = "postgres://postgres@127.0.0.1:6500/herdwise";
const suites = [
  "apps/server/src/database/connection.test.ts",
  "apps/server/src/database/distribution.test.ts",
  "apps/server/src/database/generate-types.test.ts",
  "apps/server/src/database/migrate.test.ts",
  "apps/server/src/database/named-statements.test.ts",
  "apps/server/src/modules/alarms",
  "apps/server/src/modules/telemetry",
  "tests/api/alarms.test.ts",
  "tests/api/analytics.test.ts",
  "tests/api/comparisons.test.ts",
  "tests/api/device-binding.test.ts",
  "tests/api/device-protocol.test.ts",
  "tests/api/devices.test.ts",
  "tests/api/group-start.test.ts",
  "tests/api/known-alarms.test.ts",
  "tests/api/lost-gateway.test.ts",
  "tests/api/passport.test.ts",
  "tests/api/rejected-readings.test.ts",
  "tests/api/scale-tickets.test.ts",
  "tests/api/telemetry.test.ts",
  "tests/api/todos.test.ts",
];

install();
const url = process.env.HERDWISE_CLUSTER_URL || usualUrl;
const { default: pg } = await import("pg");

/** Why a cluster can't be used; undefined where it can. */
async function whyNot() {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as workers from pg_dist_node where groupid > 0 and isactive",
    );
    if (rows[0].workers < 2) return `has ${rows[0].workers} workers, and two are needed`;
  } catch (error) {
    return `does not answer as a coordinator of Citus: ${error.message}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const fault = await whyNot();
if (fault !== undefined) {
  console.error(`No cluster: ${process.env.HERDWISE_CLUSTER_URL ? "HERDWISE_CLUSTER_URL" : usualUrl} ${fault}.`);
  console.error("docs/operations/cluster.md says how one is started; HERDWISE_CLUSTER_URL names another.");
  process.exit(1);
}

/** @param words for vitest */
function run(title, environment, words) {
  console.log(`\n${title}`);
  const result = spawnSync(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...words], {
    cwd: root,
    stdio: "inherit",
    env: { ...compileCache, ...process.env, TEST_DATABASE_URL: url, ...environment },
  });
  return result.status === 0;
}

const words = process.argv.slice(2);
const chosen = words.length > 0 ? words : suites;
const distributed = { HERDWISE_TEST_DISTRIBUTED: "on" };
const passed = [
  run("On the coordinator alone", {}, chosen),
  run("Distributed", distributed, chosen),
  ...(words.length > 0 ? [] : [run("A worker dies", distributed, ["tests/faults/worker-kill.cluster.test.ts"])]),
];
process.exit(passed.every(Boolean) ? 0 : 1);
