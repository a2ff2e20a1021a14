// What benchmarks of a whole server share: its own process beside a database, devices with tokens, sessions, and processes that send and
// listen.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenHeader } from "@herdwise/contract";
import pg from "pg";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { fromNewAddress, tokenOfDemo } from "../tests/harness/session.ts";
import { postgresPid, processorUs } from "./processor.ts";
import type { StreamCounts, StreamOrder } from "./stream-load.ts";

export const quantile = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;

/**
 * A server with the demo and its database, both to be ended by `close`. It believes the addresses that requests name, so that what is
 * measured is not the limit of calls of one.
 * @param settings of its environment, beside those that it needs
 */
export async function openPlace(settings: Readonly<Record<string, string>> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
  const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), log: silentLog });
  const maintenance = new pg.Client({ connectionString: postgres.superuserUrl("postgres") });
  await maintenance.connect();
  await maintenance.query("create database bench");
  await maintenance.end();
  const url = postgres.superuserUrl("bench");
  const server = await startServerProcess({
    DATA_DIR: join(directory, "data"),
    DATABASE_URL: url,
    NODE_ENV: "production",
    TRUST_PROXY: "127.0.0.1",
    ...settings,
  });
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const databasePid = await postgresPid(join(directory, "postgres"));
  return {
    server,
    pool,
    /** Of the database, as its superuser. */
    url,
    address: `http://127.0.0.1:${server.httpPort}`,
    /** Microseconds of processor time so far. */
    processor: async () => ({ server: await processorUs(server.pid), database: await processorUs(databasePid) }),
    async close(): Promise<void> {
      await pool.end();
      await server.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Sessions of the owner of the demo's farms, each with headers of an address of its own. */
export async function sessionsAt(address: string, count: number): Promise<Record<string, string>[]> {
  const sessions: Record<string, string>[] = [];
  for (let at = 0; at < count; at += 1) {
    const { access_token: token } = await tokenOfDemo(address, "farm");
    sessions.push({ [tokenHeader]: `bearer ${token}`, ...fromNewAddress() });
  }
  return sessions;
}

/** A process that sends or listens. */
export interface StreamProcess {
  readonly pid: number | undefined;
  /** What it counted since it was asked last. */
  count(): Promise<StreamCounts>;
  stop(): Promise<void>;
}

/** Starts a process and waits until all its connections are open. @throws when it ends instead */
export async function startStreams(order: StreamOrder): Promise<StreamProcess> {
  const child: ChildProcess = fork(new URL("stream-load.ts", import.meta.url), [], { execArgv: [] });
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`${order.role} ended with ${code}`)));
  ended.catch(() => undefined);
  const told = async () => ((await Promise.race([once(child, "message"), ended])) as [unknown])[0];
  child.send(order);
  await told();
  return {
    pid: child.pid,
    async count() {
      const answer = told();
      child.send("count");
      return (await answer) as StreamCounts;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.send("stop");
      await once(child, "exit");
    },
  };
}

/** How late a timer of this process is, in ms: what a busy machine takes from every duration of the run. */
export function watchLateness(): () => number[] {
  const late: number[] = [];
  let due = performance.now() + 20;
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - due));
    due = now + 20;
  }, 20);
  return () => {
    clearInterval(timer);
    return late;
  };
}
