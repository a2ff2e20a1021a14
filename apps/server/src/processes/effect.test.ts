import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { createJobQueue, type JobQueue } from "../jobs/queue.ts";
import { memoryBus } from "../providers/bus.ts";
import { effect } from "./effect.ts";

let here: TestDatabase;
let queue: JobQueue;
/** What was sent, in order. */
const sent: string[] = [];
/** Messages that the service refuses once. */
const refused = new Set<string>();
let send: ReturnType<typeof effect<{ text: string }>>;

beforeAll(async () => {
  here = await createTestDatabase(4);
  queue = createJobQueue({ pool: here.database.pool, bus: memoryBus(), log: pino({ level: "silent" }) });
  send = effect(queue, "test.send", async ({ text }) => {
    if (refused.delete(text)) throw new Error("the service does not answer");
    sent.push(text);
  });
  await queue.start([send.job]);
});
afterAll(async () => {
  await queue.stop();
  await here.drop();
});

test("an effect of a transaction is done after the commit, again after a failure, and never where it is rolled back", async () => {
  const { kysely } = here.database;
  refused.add("refused once");
  await expect(
    kysely.transaction().execute(async (transaction) => {
      await send.in(transaction)({ text: "rolled back" });
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await kysely.transaction().execute(async (transaction) => {
    for (const text of ["one", "refused once", "two"]) await send.in(transaction)({ text });
    queue.wake();
    expect(sent).toEqual([]);
  });
  queue.wake();
  await vi.waitFor(() => expect(sent).toContain("refused once"), { timeout: 30_000, interval: 50 });
  expect(sent.toSorted()).toEqual(["one", "refused once", "two"]);
});
