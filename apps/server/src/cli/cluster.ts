// `npm run cluster`: distributes telemetry by device over the nodes of Citus, tells where it lies, and checks it.
import { parseArgs } from "node:util";
import { ConfigError, processEnvironment, readConfig } from "../config.ts";
import { openDatabase } from "../database/connection.ts";
import {
  DistributionError,
  distribute,
  distributionFaults,
  distributionStatus,
  obstacles,
  type TableDistribution,
} from "../database/distribution.ts";
import { warningsOnly } from "../database/log.ts";
import { migrationState } from "../database/migrate.ts";

const usage = `Usage: npm run cluster -- distribute [--shards <number>] [--dry-run]
       npm run cluster -- status
       npm run cluster -- check

Works on the database of DATABASE_URL, a coordinator of Citus. Callers of the server see no change.
distribute  distributes the tables that grow with devices by device, each in a transaction that counts its rows before and after.
            What is distributed already stays as it is, so it may be run again. Stop the servers before, or expect them to wait.
            --shards   of each table, 32 by default: two or more for each core that the cluster will have
            --dry-run  says what is in the way and changes nothing
status      tells for each table how many rows it has and on which nodes they lie
check       says what is wrong, and ends with 1 where something is`;

type Client = Parameters<typeof distributionStatus>[0];

const bytes = (size: number): string =>
  size < 1e6
    ? `${Math.round(size / 1e3)} kB`
    : size < 1e9
      ? `${Math.round(size / 1e6)} MB`
      : `${(size / 1e9).toFixed(1)} GB`;

const lineOf = ({ table, distributed, rows, shards, nodes }: TableDistribution): string => {
  const where = distributed
    ? `${shards} shards: ${nodes.map((on) => `${on.node} ${on.shards} (${bytes(on.bytes)})`).join(", ")}`
    : "on the coordinator";
  return `${table.padEnd(28)}${String(rows).padStart(12)} rows  ${where}`;
};

async function pendingMigrations(client: Client): Promise<string[]> {
  const { rows: kept } = await client.query("select to_regclass('public.schema_migrations') as name");
  const { rows } =
    kept[0]?.name === null
      ? { rows: [] }
      : await client.query<{ name: string; checksum: string }>(
          `select name, checksum from public.schema_migrations order by name collate "C"`,
        );
  const { pending, fault } = await migrationState(rows);
  if (fault !== undefined) throw new DistributionError(fault);
  return pending;
}

async function printFaults(client: Client): Promise<void> {
  const faults = await distributionFaults(client);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log("All tables that grow with devices are distributed by device and lie together. Nothing is wrong.");
}

const commands: Readonly<
  Record<string, (client: Client, options: { shards: number; dryRun: boolean }) => Promise<void>>
> = {
  async distribute(client, { shards, dryRun }) {
    const pending = await pendingMigrations(client);
    if (dryRun) {
      const found = await obstacles(client, pending);
      for (const obstacle of found) console.error(obstacle);
      if (found.length > 0) process.exitCode = 1;
      else console.log("Nothing is in the way.");
      return;
    }
    const done = await distribute(client, { shards, pending });
    for (const { table, rows } of done) console.log(`${table}: ${rows} rows before and after`);
    if (done.length === 0) console.log("All was distributed before.");
    await printFaults(client);
  },
  async status(client) {
    for (const table of await distributionStatus(client)) console.log(lineOf(table));
  },
  check: printFaults,
};

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean" }, shards: { type: "string", default: "32" }, "dry-run": { type: "boolean" } },
  });
  const command = commands[positionals[0] ?? ""];
  const shards = Number(values.shards);
  if (values.help === true || command === undefined || !Number.isInteger(shards) || shards < 1 || shards > 4096) {
    console.log(usage);
    process.exitCode = values.help === true ? 0 : 1;
    return;
  }
  const { databaseUrl: url } = readConfig(processEnvironment());
  if (url === undefined) throw new DistributionError("DATABASE_URL must name a coordinator of Citus");
  const log = warningsOnly(console.error);
  const database = openDatabase({ url, poolSize: 1, applicationName: "cluster", log });
  try {
    const client = await database.pool.connect();
    try {
      // To copy rows to their nodes takes as long as it takes.
      await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
      await command(client, { shards, dryRun: values["dry-run"] === true });
    } finally {
      client.release();
    }
  } finally {
    await database.close();
  }
}

try {
  await run();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isExpected = error instanceof DistributionError || error instanceof ConfigError;
  console.error(isExpected ? error.message : `The cluster could not be worked on: ${error.message}`);
  process.exitCode = 1;
}
