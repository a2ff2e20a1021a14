import { jobLink } from "@herdwise/contract";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { checkOn, sessionNamed } from "../../../../../tests/harness/streams.ts";
import { readConfig } from "../../config.ts";
import { demoAccounts, seedDemo } from "../../database/seeds/demo.ts";
import { seedFoundation } from "../../database/seeds/foundation.ts";
import { refuse } from "../../http/errors.ts";
import type { EventStream } from "../../http/event-stream.ts";
import type { Session } from "../../http/session.ts";
import type { Platform } from "../../module.ts";
import { createPlatform } from "../../platform.ts";
import { memoryBus } from "../../providers/bus.ts";
import { memoryStore } from "../../providers/store.ts";
import { memberScope, systemScope } from "../../tenant-scope.ts";
import type { BackgroundJobRow } from "./background-job.repository.ts";
import { type BackgroundJobRun, type BackgroundJobsModule, createBackgroundJobsModule } from "./index.ts";

const test_ = systemScope("a test acts as whom it likes");
let here: TestDatabase;
let platform: Platform;
let module: BackgroundJobsModule;
let sessionCheck: ReturnType<typeof checkOn>;
let session: Session;
/** What the job of a test does. */
let work: (payload: { rows: number }, run: BackgroundJobRun) => Promise<Record<string, string>>;
let runs = 0;

beforeAll(async () => {
  here = await createTestDatabase(10);
  const { kysely } = here.database;
  let id = 5_000_000;
  const nextId = () => {
    id += 1;
    return String(id);
  };
  await seedFoundation(kysely, nextId);
  await seedDemo(kysely, nextId, async () => "no password");
  const [row] = await kysely
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.accountId")
    .where("accounts.account", "=", demoAccounts[0]?.account ?? "")
    .select(["accounts.id as accountId", "tenantId"])
    .execute();
  if (row === undefined) throw new Error("there is no demo account");
  session = Object.assign(memberScope(test_, row), sessionNamed("1")) as Session;
});
afterAll(() => here.drop());

beforeEach(async () => {
  platform = createPlatform({
    config: readConfig({}),
    log: pino({ level: "silent" }),
    database: here.database,
    bus: memoryBus(),
    store: memoryStore(),
    secretKey: "a key for tests that is long enough to be one",
    stopping: new AbortController().signal,
  });
  sessionCheck = checkOn(platform.bus);
  module = createBackgroundJobsModule(platform, {
    sessionCheck,
    settings: { number: () => 30 },
  });
  runs = 0;
  const counted = module.service.define<{ rows: number }>({
    kind: "test.count",
    retries: 1,
    timeoutS: 60,
    run(payload, run) {
      runs += 1;
      return work(payload, run);
    },
  });
  const hasty = module.service.define({
    kind: "test.hasty",
    retries: 0,
    timeoutS: 1,
    run: async (_payload, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw signal.reason;
    },
  });
  await platform.jobs.start([counted, hasty]);
});
afterEach(async () => {
  await platform.jobs.stop();
  sessionCheck.stop();
  await platform.store.stop();
  await here.database.pool.query("truncate background_jobs; truncate messages cascade; delete from jobs.job");
});

const submit = (rows = 3, kind = "test.count") => module.service.submit(session, kind, "导出", { rows });
const stateOf = async (id: string) => (await module.service.detail(session, id)).state;
const ended = (id: string, state: string) =>
  vi.waitFor(async () => expect(await stateOf(id)).toBe(state), { timeout: 15_000, interval: 20 });
const messages = async () =>
  (
    await here.database.pool.query("select title, content, link from messages where account_id = $1", [
      session.accountId,
    ])
  ).rows;

/** Reads the live stream as a browser does. */
function follow() {
  const gone = new AbortController();
  const events: BackgroundJobRow[] = [];
  const stream: EventStream = {
    signal: gone.signal,
    end: () => gone.abort(),
    send: async (_event, payload) => void events.push({ ...(payload as BackgroundJobRow) }),
  };
  const served = module.service.live(session, stream);
  return {
    events,
    async close() {
      gone.abort();
      await served;
    },
  };
}

test("a job runs, tells how far it is, ends with its result, and leaves a message that leads to it", async () => {
  const reader = follow();
  work = async ({ rows }, { owner, progress }) => {
    expect(owner).toEqual({ accountId: session.accountId, tenantId: session.tenantId });
    const told = (far: number) =>
      vi.waitFor(() => expect(reader.events.some(({ state, done }) => state === "running" && done === far)).toBe(true));
    await told(0);
    await progress(1, rows);
    // Its page is told while it goes on.
    await told(1);
    for (let done = 2; done <= rows; done += 1) await progress(done, rows);
    return { attachmentId: "77", rows: String(rows) };
  };
  const id = await submit(40);
  await ended(id, "succeeded");
  // A second run would tell at its begin how far the first one was.
  expect(runs).toBe(1);
  const job = await module.service.detail(session, id);
  expect(job).toMatchObject({ done: 40, total: 40, result: { attachmentId: "77", rows: "40" }, reason: "" });
  expect(job.finishTime?.getTime()).toBeGreaterThanOrEqual(job.startTime?.getTime() ?? Number.NaN);
  await vi.waitFor(() => expect(reader.events.at(-1)?.state).toBe("succeeded"));
  const states = reader.events.map(({ state }) => state);
  expect([...new Set(states)]).toEqual(
    ["queued", "running", "succeeded"].filter((state) => states.includes(state as never)),
  );
  expect(await messages()).toEqual([{ title: "任务已完成", content: "导出", link: jobLink(id) }]);
  await reader.close();
});

test("a cancelled job stops at its next step and takes back what it left; the message of an end is not sent", async () => {
  const undone: string[] = [];
  let begun: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let stopped = false;
  work = async (_payload, { progress, undo, signal }) => {
    undo(async () => void undone.push("file"));
    undo(async () => void undone.push("row"));
    begun();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await progress(1, 10).catch((error: unknown) => {
      stopped = true;
      throw error;
    });
    return {};
  };
  const id = await submit();
  await beginning;
  await module.service.cancel(session, id);
  await vi.waitFor(() => expect(undone).toEqual(["row", "file"]));
  expect(stopped).toBe(true);
  expect(await stateOf(id)).toBe("cancelled");
  expect(await messages()).toEqual([]);
  expect(runs).toBe(1);
});

test("a job that does not look at its signal notices at its next progress that it was cancelled", async () => {
  const undone: string[] = [];
  let begun: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  work = async (_payload, { progress, undo }) => {
    undo(async () => void undone.push("file"));
    begun();
    await waiting;
    await progress(1, 10);
    undone.push("went on");
    return {};
  };
  const id = await submit();
  await beginning;
  // As if the word of it was lost on its way to this server.
  await here.database.pool.query("update background_jobs set state = 'cancelled' where id = $1", [id]);
  goOn();
  await vi.waitFor(() => expect(undone).toEqual(["file"]));
  expect(await stateOf(id)).toBe("cancelled");
});

test("a job that never looks ends as cancelled all the same, and takes back what it left", async () => {
  const undone: string[] = [];
  work = async (_payload, { undo }) => {
    undo(async () => void undone.push("file"));
    await here.database.pool.query("update background_jobs set state = 'cancelled' where state = 'running'");
    return {};
  };
  const id = await submit();
  await vi.waitFor(() => expect(undone).toEqual(["file"]));
  expect(await stateOf(id)).toBe("cancelled");
  expect(await messages()).toEqual([]);
});

test("a refusal ends a job at once with its reason; another error is tried again and then ends it, too", async () => {
  work = async () => {
    throw refuse("upload.too_large", { values: { size: 20 } });
  };
  const refused = await submit();
  await ended(refused, "failed");
  expect(await module.service.detail(session, refused)).toMatchObject({
    reason: "upload.too_large",
    text: "文件不能超过 {size}MB",
    values: { size: "20" },
  });
  expect(runs).toBe(1);
  work = async () => {
    throw new Error("a fault");
  };
  const failed = await submit();
  await ended(failed, "failed");
  expect(await module.service.detail(session, failed)).toMatchObject({ reason: "jobs.failed" });
  expect(runs).toBe(3);
  expect((await messages()).map(({ title }) => title)).toEqual(["任务失败", "任务失败"]);
});

test("a job whose time is over fails, and says so", async () => {
  const id = await submit(1, "test.hasty");
  await ended(id, "failed");
  expect(await module.service.detail(session, id)).toMatchObject({ reason: "jobs.timeout" });
});

test("a run that was believed dead can't overwrite the one that has its job now", async () => {
  const undone: string[] = [];
  work = async (_payload, { undo }) => {
    undo(async () => void undone.push("file"));
    await here.database.pool.query("update background_jobs set attempt = 1");
    return { attachmentId: "from the dead" };
  };
  const id = await submit();
  await vi.waitFor(() => expect(undone).toEqual(["file"]));
  expect(await module.service.detail(session, id)).toMatchObject({ state: "running", result: {} });
});

test("a job that is not stored is not in the queue either", async () => {
  const stranger = memberScope(test_, { accountId: "404", tenantId: session.tenantId });
  await expect(module.service.submit(stranger, "test.count", "导出", {})).rejects.toThrow("background_jobs_account_fk");
  const { rows } = await here.database.pool.query("select 1 from jobs.job where name = 'asked'");
  expect(rows).toEqual([]);
});

test("one person has 20 unfinished jobs at most", async () => {
  await here.database.pool.query(
    `insert into background_jobs (id, tenant_id, account_id, kind, title, queue_id)
     select n, $1, $2, 'test.count', '导出', gen_random_uuid() from generate_series(1, 20) n`,
    [session.tenantId, session.accountId],
  );
  await expect(submit()).rejects.toMatchObject({ reason: "jobs.too_many" });
});

test("a job that the queue has lost is given up; one that still waits is left alone, and so is a new one", async () => {
  await platform.jobs.stop();
  const insert = (id: string, queueId: string, age: string) =>
    here.database.pool.query(
      `insert into background_jobs (id, tenant_id, account_id, kind, title, queue_id, created_at)
       values ($1, $2, $3, 'test.count', '导出', $4, now() - $5::interval)`,
      [id, session.tenantId, session.accountId, queueId, age],
    );
  const waiting = "00000000-0000-4000-8000-000000000001";
  await here.database.pool.query(
    `insert into jobs.job (id, name, data, policy) values ($1, 'asked', '{}', 'standard')`,
    [waiting],
  );
  await insert("1", waiting, "2 minutes");
  await insert("2", "00000000-0000-4000-8000-000000000002", "2 minutes");
  await insert("3", "00000000-0000-4000-8000-000000000003", "1 second");
  await module.service.sweep();
  expect([await stateOf("1"), await stateOf("2"), await stateOf("3")]).toEqual(["queued", "failed", "queued"]);
});
