import { expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { basic, md5 } from "../harness/session.ts";
import { openRelease } from "./release.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Commits of the releases whose data an update has to open. */
const releases = ["3584fc2", "c0fd6dce", "ec9cd11"];
const accounts = ["admin", "farm", "vet", "worker"];

interface Envelope<Data> {
  data: Data;
}

/** What people of a demo have: devices, newest readings and rights of each account in each of its tenants, by the API. */
async function belongings({ httpPort }: ServerProcess): Promise<Record<string, unknown>> {
  const base = `http://127.0.0.1:${httpPort}`;
  const found: Record<string, unknown> = {};
  const token = async (account: string, tenantId?: string) => {
    const answer = await fetch(`${base}/api/muyuan-auth/oauth/token`, {
      method: "POST",
      headers: { authorization: basic, "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "password", username: account, password: md5(demoPassword), tenantId }),
    });
    return (await answer.json()) as { access_token?: string };
  };
  for (const account of accounts) {
    for (const tenantId of account === "vet" ? ["100002", "100003"] : [undefined]) {
      const { access_token: held } = await token(account, tenantId);
      const get = async <Data>(path: string): Promise<Data> => {
        const answer = await fetch(`${base}${path}`, {
          headers: { authorization: basic, "muyuan-auth": `bearer ${held}` },
        });
        expect(answer.status, `${account} ${path}`).toBe(200);
        return ((await answer.json()) as Envelope<Data>).data;
      };
      const who = `${account} ${tenantId ?? ""}`;
      const { records } = await get<{ records: { id: string; serialNumber: string }[] }>(
        "/api/muyuan-iot/device/page?size=500",
      );
      found[`${who} devices`] = records.map(({ serialNumber }) => serialNumber).sort();
      found[`${who} rights`] = [
        ...JSON.stringify(await get("/api/muyuan-system/menu/buttons")).matchAll(/"code":"(\w+)"/g),
      ].map(([, code]) => code ?? "");
      for (const { id, serialNumber } of records.filter(({ serialNumber }) => serialNumber.startsWith("ENV-")))
        found[`${who} ${serialNumber}`] = (
          await get<{ points: unknown[] }>(
            `/api/muyuan-iot/telemetry/history?id=${id}&key=t_in&start=${Date.now() - 3_600_000 * 24}&end=${Date.now()}&resolution=raw`,
          )
        ).points.length;
    }
  }
  return found;
}

/** Messages that a device of the demo sends before the update. */
const reports = 60;

async function report({ httpPort }: ServerProcess): Promise<void> {
  for (let minute = 0; minute < reports; minute += 1) {
    const sent = await fetch(`http://127.0.0.1:${httpPort}/api/v1/demo-ENV-ZJY-01/telemetry`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ts: Date.now() - minute * 60_000, values: { t_in: 21 + minute / 60 } }),
    });
    expect(sent.status).toBe(200);
  }
}

test.each(releases)("R41: the data of %s open in this version, however often the update is killed", async (release) => {
  const { checkout, dataDir, remove } = await openRelease(release);
  try {
    const old = await startServerProcess({ DATA_DIR: dataDir }, { checkout });
    await report(old);
    const before = await belongings(old);
    expect(before["farm  ENV-ZJY-01"]).toBe(reports);
    expect(await old.stop()).toBe(0);
    for (let round = 0; round < 5; round += 1) {
      const killed = AbortSignal.timeout(300 + 250 * round);
      const started = await startServerProcess({ DATA_DIR: dataDir }, { killed }).catch(() => undefined);
      await started?.kill();
    }
    const updated = await startServerProcess({ DATA_DIR: dataDir });
    const after = await belongings(updated);
    expect(await updated.stop()).toBe(0);
    for (const [what, value] of Object.entries(before))
      expect(after[what], what).toEqual(Array.isArray(value) ? expect.arrayContaining(value) : value);
  } finally {
    await remove();
  }
});
