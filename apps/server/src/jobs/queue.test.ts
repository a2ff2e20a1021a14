import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { memoryBus } from "../providers/bus.ts";
import { createJobQueue, type JobQueue } from "./queue.ts";

let db: TestDatabase;
let queue: JobQueue;
const runs: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase(4);
  queue = createJobQueue({
    pool: db.database.pool,
    bus: memoryBus(),
    log: pino({ level: "silent" }),
    onRun: (name, outcome, seconds) => runs.push(`${name} ${outcome} ${seconds >= 0 && seconds < 60}`),
  });
  await queue.start([
    { name: "fine", retries: 0, timeoutS: 10, run: async () => undefined },
    {
      name: "broken",
      retries: 0,
      timeoutS: 10,
      async run() {
        throw new Error("no room");
      },
    },
    {
      name: "long",
      retries: 0,
      timeoutS: 60,
      run: (_payload, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    },
  ]);
});
afterAll(async () => {
  await queue.stop();
  await db.drop();
});

test("each run is told with its outcome: done, failed, or broken off", async () => {
  await queue.enqueue("fine", {});
  await queue.enqueue("broken", {});
  queue.wake();
  await expect.poll(() => runs.toSorted(), { timeout: 30_000 }).toEqual(["broken failed true", "fine succeeded true"]);
  const id = await queue.enqueue("long", {});
  queue.wake();
  await expect
    .poll(async () => (await db.database.pool.query("select state from jobs.job where id = $1", [id])).rows[0]?.state, {
      timeout: 30_000,
    })
    .toBe("active");
  await queue.cancel(id);
  await expect.poll(() => runs, { timeout: 30_000 }).toContain("long interrupted true");
});
