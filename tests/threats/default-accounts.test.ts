import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenHeader } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pseudonym } from "../../apps/server/src/database/personal-columns.ts";
import { demoAccounts, demoDevices, demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";

let database: TestDatabase;
let server: ServerProcess;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-installation-"));
  database = await createEmptyDatabase();
  server = await startServerProcess({
    DEMO: "off",
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: "error",
  });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const url = (path: string) => `http://127.0.0.1:${server.httpPort}${path}`;

const names = ["admin", "administrator", "root", "superadmin", "test", "saber", "blade", "user", "hr", "manager"];
const passwords = ["admin", "123456", "password", "admin123", "root"];
const pairs: (readonly [string, string])[] = [
  ...names.flatMap((name) => passwords.map((password) => [name, password] as const)),
  ...demoAccounts.map(({ account }) => [account, demoPassword] as const),
  ...demoAccounts.map(({ phone }) => [phone, demoPassword] as const),
];

const logIn = (address: string, username: string, password: string): Promise<Response> => {
  const query = new URLSearchParams({ grant_type: "password", username, password, tenantId: "000000" });
  return fetch(`${address}/api/muyuan-auth/oauth/token?${query}`, {
    method: "POST",
    headers: { authorization: basic },
  });
};

/** Tries known pairs at a server. */
async function expectNobodyKnown(
  address: string,
  { database: { pool } }: TestDatabase,
  tried: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [at, [username, password]] of tried.entries()) {
    // The locks are another threat's; each pair is to be looked at.
    await pool.query("delete from login_failures");
    // Text that is no MD5 is compared like one that is wrong; a few show it.
    for (const sent of at % 8 === 0 ? [md5(password), password] : [md5(password)]) {
      const answer = await logIn(address, username, sent);
      expect([answer.status, await answer.text()], username).toEqual([
        400,
        expect.not.stringContaining("access_token"),
      ]);
    }
  }
}

async function expectNoDemo(address: string): Promise<void> {
  for (const { serialNumber } of demoDevices().slice(0, 5)) {
    const answer = await fetch(`${address}/api/v1/${demoTokenPrefix}${serialNumber}/telemetry`, {
      method: "POST",
      body: '{"t_in":20}',
    });
    expect(answer.status).toBe(401);
  }
  const list = await fetch(`${address}/api/muyuan-system/settings/skip-secure/demo-accounts`);
  expect(await list.json()).toMatchObject({ data: [] });
  for (const path of ["/dev/outbox", "/dev/outbox.json"]) expect((await fetch(address + path)).status).toBe(404);
}

test("T10: an installation that is no demo has no account that anybody knows", async () => {
  const { rows } = await database.database.pool.query("select account from accounts");
  expect(rows).toEqual([]);
  expect(pairs.length).toBeGreaterThanOrEqual(50);
  await expectNobodyKnown(url(""), database, pairs);
});

test("T10: nor demo devices, nor the list of demo accounts, nor an outbox", () => expectNoDemo(url("")));

test("T10: another client's public pair opens nothing by itself", async () => {
  for (const pair of ["portal:portal_secret", "saber:saber_secret", "sword:sword_secret", "admin:admin"]) {
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    for (const headers of [{ authorization }, { authorization, [tokenHeader]: authorization }]) {
      expect((await fetch(url("/api/muyuan-system/user/info"), { headers })).status).toBe(401);
    }
  }
});

test("T10: data that was a demo starts without DEMO only after the command that takes its passwords and tokens out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-was-demo-"));
  const held = await createEmptyDatabase();
  const environment = { DATABASE_URL: held.url, DATA_DIR: folder, LOG_LEVEL: "silent" };
  const count = async (text: string) => (await held.database.pool.query<{ n: number }>(text)).rows[0]?.n;
  let running: ServerProcess | undefined;
  try {
    running = await startServerProcess({ ...environment, DEMO: "on" });
    const readings = `http://127.0.0.1:${running.httpPort}/api/v1/${demoTokenPrefix}ENV-ZJY-01/telemetry`;
    expect((await fetch(readings, { method: "POST", body: '{"t_in":21}' })).status).toBe(200);
    const demo = `http://127.0.0.1:${running.httpPort}`;
    const { access_token } = (await (await logIn(demo, "admin", md5(demoPassword))).json()) as { access_token: string };
    const entered = { authorization: basic, [tokenHeader]: `bearer ${access_token}` };
    expect((await fetch(`${demo}/api/muyuan-system/user/info`, { headers: entered })).status).toBe(200);
    await running.stop();
    const devices = await count("select count(*)::int as n from devices");
    await expect(startServerProcess({ ...environment, DEMO: "off" })).rejects.toThrow(
      /everybody knows the password or token of admin, .*npm run purge-demo/,
    );

    const purged = spawnSync(process.execPath, ["apps/server/src/cli/purge-demo.ts"], {
      env: { PATH: process.env.PATH, ...environment },
      encoding: "utf8",
    });
    expect([purged.status, purged.stderr]).toEqual([0, ""]);
    expect(purged.stdout).toContain("npm run create-admin");
    running = await startServerProcess({ ...environment, DEMO: "off" });
    const address = `http://127.0.0.1:${running.httpPort}`;
    // The other pairs were never accounts of a demo.
    const ofDemo = pairs.filter(([, password]) => password === demoPassword);
    await expectNobodyKnown(address, held, volume({ short: ofDemo, long: pairs }));
    await expectNoDemo(address);
    // A session of the demo is nobody's any more.
    expect((await fetch(`${address}/api/muyuan-system/user/info`, { headers: entered })).status).toBe(401);
    // What was measured, and whose it is, stays; nothing of the people does.
    expect(await count("select count(*)::int as n from devices")).toBe(devices);
    expect(await count("select count(*)::int as n from telemetry_values t where t.readings ? 't_in'")).toBeGreaterThan(
      0,
    );
    expect(await count("select count(*)::int as n from sessions")).toBe(0);
    // One of them had closed the account and had no name before.
    const named = `select count(*)::int as n from accounts where real_name not in ('', '${pseudonym}') or phone_encrypted <> ''`;
    expect(await count(named)).toBe(0);
    expect(await count("select count(*)::int as n from tenants where showcase")).toBe(0);
  } finally {
    await running?.stop();
    await held.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
