// A server that only works off jobs, for tests that kill it. Arguments: address of the database.
import { pino } from "pino";
import { openDatabase } from "../../apps/server/src/database/connection.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { createJobQueue } from "../../apps/server/src/jobs/queue.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";

const [url = ""] = process.argv.slice(2);
const database = openDatabase({ url, poolSize: 4, applicationName: "herdwise-jobs", log: silentLog });
const queue = createJobQueue({ pool: database.pool, bus: memoryBus(), log: pino({ level: "silent" }) });
const note = (table: "job_begun" | "job_done", name: string) =>
  database.pool.query(`insert into ${table} (name, server) values ($1, $2)`, [name, process.pid]);

await queue.start([
  {
    name: "count",
    retries: 0,
    timeoutS: 60,
    async run(payload) {
      const { name } = payload as { name: string };
      await note("job_begun", name);
      // Long enough that one server can't do all before the others ask.
      await database.pool.query("select pg_sleep(0.03)");
      await note("job_done", name);
    },
  },
  {
    name: "hold",
    retries: 0,
    timeoutS: 120,
    async run(payload, { attempt, signal }) {
      const { name } = payload as { name: string };
      await note("job_begun", name);
      if (attempt === 0) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        signal.throwIfAborted();
      }
      await note("job_done", name);
    },
  },
]);
process.on("SIGTERM", () => {
  void queue
    .stop()
    .then(() => database.close())
    .then(() => process.exit(0));
});
process.stdout.write("ready\n");
