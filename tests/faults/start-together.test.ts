import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { migrationsFolder } from "../../apps/server/src/database/migrate.ts";
import { demoDevices, demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { freePort } from "../../apps/server/src/free-port.ts";
import { createEmptyDatabase, onServer } from "../harness/database.ts";
import { redisAnswers, redisUrl } from "../harness/redis.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { basic, md5 } from "../harness/session.ts";
import { WirePublisher } from "./mqtt-wire.ts";
import { startServerProcess } from "./server-process.ts";

describe.skipIf(!redisAnswers)("R14: three processes that start at the same moment", () => {
  const environment = (url: string): Record<string, string> => ({
    DATABASE_URL: url,
    // A database of Redis that nobody else uses: keys of a process have the product's own names.
    REDIS_URL: Object.assign(new URL(redisUrl), { pathname: "/13" }).href,
    SECRET_KEY: "a key for tests that is long enough to be one",
    LOG_LEVEL: "info",
  });
  /** Rows of every table that is the same after each first start. */
  const countRows = async (url: string) =>
    onServer(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        // What servers keep as they run is more the longer they run; on how many days the demo's orders were opened, depends on the
        // hour of its making.
        "select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^(telemetry_|servers$|(job|service)_outcomes$|own_alarm_rule_states$|work_order_numbers$)' order by 1",
      );
      const counts: Record<string, number> = {};
      for (const { name } of rows) {
        const { rows: counted } = await client.query<{ count: string }>(`select count(*) from "${name}"`);
        counts[name] = Number(counted[0]?.count);
      }
      return counts;
    });
  const opened: { close(): Promise<unknown> }[] = [];
  afterAll(async () => {
    for (const { close } of opened.reverse()) await close();
  });

  test("migrate and seed once, as one alone would; a session of one is valid at the others, and a replaced device token is news to all", async () => {
    const own = await createEmptyDatabase(1);
    const alone = await createEmptyDatabase(1);
    opened.push({ close: own.drop }, { close: alone.drop });
    const start = async (url: string, more: Record<string, string> = {}) => {
      const dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-several-"));
      opened.push({ close: () => rm(dataDir, { recursive: true, force: true }) });
      const server = await startServerProcess({ ...environment(url), DATA_DIR: dataDir, ...more });
      opened.push({ close: server.stop });
      return server;
    };
    // Whoever asks one of them before its tables are there is told to come again.
    const port = await freePort();
    const paths = ["/api/muyuan-content/partner/skip-secure/list", "/api/v1/nobody/attributes", "/products"];
    const answers = new Set<string>();
    let started = false;
    const asking = (async () => {
      while (!started) {
        for (const path of paths) {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: basic } }).catch(
            () => undefined,
          );
          if (answer) answers.add(`${path} ${answer.status} ${answer.headers.get("retry-after") ?? "at once"}`);
        }
      }
    })();
    const servers = await Promise.all([start(own.url, { PORT: String(port) }), start(own.url), start(own.url)]);
    started = true;
    await asking;
    expect([...answers].filter((answer) => / 5\d\d /.test(answer)).sort()).toEqual(
      paths.map((path) => `${path} 503 2`),
    );
    const migrations = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql"));
    const applied = servers.flatMap((server) => [...server.output().matchAll(/"migration":"([^"]+)"/g)]);
    expect(applied.map(([, name]) => name).sort()).toEqual(migrations.sort());
    await start(alone.url);
    // Words of articles are looked up and counted after the start.
    await vi.waitFor(async () => expect(await countRows(own.url)).toEqual(await countRows(alone.url)), {
      timeout: 120_000,
      interval: 500,
    });

    const [first, ...others] = servers.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`);
    const answer = await fetch(
      `${first}/api/muyuan-auth/oauth/token?grant_type=password&username=farm&password=${md5(demoPassword)}`,
      {
        method: "POST",
        headers: { authorization: basic },
      },
    );
    const { access_token } = (await answer.json()) as { access_token: string };
    for (const base of others) {
      const info = await fetch(`${base}/api/muyuan-system/user/info`, {
        headers: { authorization: basic, "muyuan-auth": `bearer ${access_token}` },
      });
      expect(info.status).toBe(200);
    }

    // A device's token is replaced from outside: its connection ends everywhere.
    const device = demoDevices()[0]?.serialNumber ?? "";
    let closed: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const last = servers[2];
    if (last === undefined) throw new Error("no server");
    const { code } = await WirePublisher.open(last.mqttPort, `${demoTokenPrefix}${device}`, "c", { onClose: closed });
    expect(code).toBe(0);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join("apps", "server", "src", "cli", "device-token.ts"), device],
      { env: { ...environment(own.url), PATH: process.env.PATH ?? "" } },
    );
    await ended;
    const token = /once: (\S+)/.exec(stdout)?.[1] ?? "";
    const codeFor = async (shown: string) => {
      const line = await WirePublisher.open(last.mqttPort, shown, "c", {});
      line.publisher.close();
      return line.code;
    };
    expect([await codeFor(`${demoTokenPrefix}${device}`), await codeFor(token)]).toEqual([5, 0]);

    // One that has another key would find no password right and no phone readable.
    await expect(start(own.url, { SECRET_KEY: "another key that is long enough to be one too" })).rejects.toThrow(
      /SECRET_KEY.*the same on all servers/,
    );
  });
});
