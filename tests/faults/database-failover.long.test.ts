import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { freePort } from "../../apps/server/src/free-port.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { haproxyIsThere } from "./haproxy.ts";
import { ReportingDevice } from "./reporting-device.ts";
import { startServerProcess } from "./server-process.ts";

const run = promisify(execFile);
const shipped = fileURLToPath(new URL("../../deploy/haproxy-postgresql.cfg", import.meta.url));
const binaries = ["18", "17", "16", "15"]
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((path) => existsSync(join(path, "pg_basebackup")));
const reporters = 20;
/** Messages per second over all. */
const rate = 150;
const tickMs = 20;

/** PostgreSQL refuses to run as root; Debian's packages bring a user for it. */
const owner = ((): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  try {
    const idOf = (kind: string) =>
      Number(execFileSync("id", [kind, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    return undefined;
  }
})();

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A primary and its standby for which each commit waits, and an address that leads to the one that takes writes. */
async function openPair() {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-failover-"));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const own = join(folder, "databases");
  await mkdir(own, { mode: 0o700 });
  const who = owner ?? { uid: 0, gid: 0 };
  await chown(own, who.uid, who.gid);
  const tool = (name: string, args: string[]) =>
    run(join(binaries ?? "", name), args, {
      ...who,
      cwd: own,
      env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8" },
    });
  const [first, second, front] = [await freePort(), await freePort(), await freePort()];
  const places = {
    primary: { data: join(own, "primary"), port: first },
    standby: { data: join(own, "standby"), port: second },
  };
  await tool("initdb", ["-D", places.primary.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8"]);
  await appendFile(
    join(places.primary.data, "postgresql.conf"),
    `port = ${first}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${own}'\nmax_connections = 100\nmax_wal_senders = 10\nwal_log_hints = on\nsynchronous_commit = on\n`,
  );
  const start = ({ data }: { data: string }) =>
    tool("pg_ctl", ["-D", data, "-l", `${data}.log`, "-w", "-t", "120", "start"]);
  const pidOf = ({ data }: { data: string }) =>
    Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  opened.push(() => {
    for (const place of Object.values(places))
      try {
        process.kill(pidOf(place), "SIGQUIT");
      } catch {
        // It was killed before.
      }
  });
  const query = async (port: number, text: string, database = "postgres") => {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database });
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  await start(places.primary);
  await query(first, "create role herdwise login");
  await query(first, "create database herdwise owner herdwise");
  await query(first, "create role haproxy_check login");
  await tool("pg_basebackup", [
    "-c",
    "fast",
    "-X",
    "stream",
    "-R",
    "-C",
    "-S",
    "standby",
    "-D",
    places.standby.data,
    "-d",
    `host=127.0.0.1 port=${first} user=postgres application_name=standby`,
  ]);
  await appendFile(join(places.standby.data, "postgresql.conf"), `port = ${second}\n`);
  await start(places.standby);
  await query(first, "alter system set synchronous_standby_names = 'FIRST 1 (standby)'");
  await query(first, "select pg_reload_conf()");
  await expect
    .poll(() => query(first, "select sync_state from pg_stat_replication"), { timeout: 60_000 })
    .toEqual([{ sync_state: "sync" }]);

  const balanced = join(folder, "haproxy.cfg");
  const text = (await readFile(shipped, "utf8"))
    .replace("10.0.0.10:5432", `127.0.0.1:${front}`)
    .replace("10.0.0.21:5432", `127.0.0.1:${first}`)
    .replace("10.0.0.22:5432", `127.0.0.1:${second}`);
  expect(text).not.toMatch(/^\s*(?:bind|server).*10\.0\.0/m);
  await writeFile(balanced, `defaults\n    timeout connect 2s\n${text}`);
  const haproxy = spawn("haproxy", ["-db", "-f", balanced], { stdio: "ignore" });
  opened.push(async () => {
    haproxy.kill("SIGTERM");
    if (haproxy.exitCode === null) await once(haproxy, "exit");
  });
  const portBehind = async () => (await query(front, "show port").catch(() => []))[0]?.port;
  await expect.poll(portBehind, { timeout: 30_000 }).toBe(String(first));
  return {
    url: `postgres://herdwise@127.0.0.1:${front}/herdwise`,
    query: (text: string) => query(second, text, "herdwise"),
    /** As a machine that is switched off: nothing is written any more, nobody is told. */
    async losePrimary() {
      const pid = pidOf(places.primary);
      const children = execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map(Number);
      for (const each of [pid, ...children]) process.kill(each, "SIGKILL");
    },
    async promoteStandby() {
      await query(second, "alter system reset synchronous_standby_names");
      expect(await query(second, "select pg_promote()")).toEqual([{ pg_promote: true }]);
      await expect.poll(portBehind, { timeout: 30_000 }).toBe(String(second));
    },
  };
}

describe.skipIf(binaries === undefined || owner === undefined || !haproxyIsThere)(
  "a primary with a standby that commits wait for",
  () => {
    test("the primary is lost under load and the standby takes over: no acknowledged message is lost or doubled, nobody starts the server again", async () => {
      const pair = await openPair();
      const dataDir = await mkdtemp(join(tmpdir(), "herdwise-failover-data-"));
      opened.push(() => rm(dataDir, { recursive: true, force: true }));
      const server = await startServerProcess({ DATABASE_URL: pair.url, DATA_DIR: dataDir });
      opened.push(() => server.kill());
      const lines = demoDevices()
        .slice(0, reporters)
        .map(({ serialNumber }) => new ReportingDevice(server.mqttPort, `${demoTokenPrefix}${serialNumber}`));
      opened.push(() => {
        for (const line of lines) line.end();
      });
      await Promise.all(lines.map((line) => line.connect()));
      let sent = 0;
      let due = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        const at = performance.now();
        due += ((at - last) / 1000) * rate;
        last = at;
        for (; due >= 1; due -= 1) {
          lines[sent % reporters]?.report(sent);
          sent += 1;
        }
      }, tickMs);
      opened.push(() => clearInterval(timer));
      const acknowledged = () => lines.reduce((sum, line) => sum + line.acknowledged.size, 0);
      await expect.poll(acknowledged, { timeout: 60_000 }).toBeGreaterThan(1000);
      await pair.losePrimary();
      const lostAt = performance.now();
      const before = acknowledged();
      const ready = async () => (await fetch(`http://127.0.0.1:${server.httpPort}/readyz`)).status;
      await expect.poll(ready, { timeout: 30_000 }).toBe(503);
      await pair.promoteStandby();
      await expect.poll(acknowledged, { timeout: onThisMachine(60_000) }).toBeGreaterThan(before + 1000);
      const awayMs = Math.round(performance.now() - lostAt);
      await expect.poll(ready, { timeout: 30_000 }).toBe(200);
      clearInterval(timer);
      await expect.poll(() => lines.reduce((sum, { waiting }) => sum + waiting, 0), { timeout: 60_000 }).toBe(0);
      const rows = await pair.query(
        `select t.readings->>'message' as n, count(*)::int as times from telemetry_values t
          where t.readings->>'message' is not null group by 1`,
      );
      const stored = new Map(rows.map(({ n, times }) => [Number(n), Number(times)]));
      const lost = lines.flatMap((line) => [...line.acknowledged]).filter((value) => !stored.has(value)).length;
      const doubled = [...stored.values()].filter((times) => times > 1).length;
      console.log(
        `database-failover: ${sent} sent, ${before} acknowledged before the loss, ${stored.size} stored, ${lost} lost, ${doubled} doubled; ` +
          `1000 more acknowledged ${awayMs} ms after the loss`,
      );
      expect({ lost, doubled, stored: stored.size }).toEqual({ lost: 0, doubled: 0, stored: sent });
    }, 900_000);
  },
);
