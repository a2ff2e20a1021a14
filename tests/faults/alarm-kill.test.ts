import type { Alarm, Message, Page } from "@herdwise/contract";
import mqtt from "mqtt";
import { expect, test } from "vitest";
import { demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { openPlace } from "./load.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const kills = volume({ short: 1, long: 10 });
const calm = { t_in: 22, t_target: 22, rh: 65, co2: 1500, mains: true, mode: "normal", pigs: 400 };

/** Reads a list as the farm's manager. */
async function readerOf({ httpPort }: ServerProcess) {
  const base = `http://127.0.0.1:${httpPort}`;
  const query = new URLSearchParams({ grant_type: "password", username: "farm", password: md5(demoPassword) });
  const entered = await fetch(`${base}/api/muyuan-auth/oauth/token?${query}`, {
    method: "POST",
    headers: { authorization: basic },
  });
  const { access_token: token } = (await entered.json()) as { access_token: string };
  return async <Row>(path: string): Promise<Row[]> => {
    const answer = await fetch(`${base}${path}`, {
      headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
    });
    return ((await answer.json()) as { data: Page<Row> }).data.records;
  };
}

test(`kill -9 right after the acknowledgement, ${kills} times: the alarm is raised after the restart, once, and told once`, async () => {
  const place = await openPlace();
  let server: ServerProcess | undefined;
  try {
    for (let round = 0; round < kills; round += 1) {
      const serial = `ENV-ZJY-${String(round + 2).padStart(2, "0")}`;
      server = await startServerProcess(place.environment);
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
        username: `${demoTokenPrefix}${serial}`,
        reconnectPeriod: 0,
      });
      const at = Date.now();
      const send = (ts: number, h2s: number) =>
        client.publishAsync("v1/devices/me/telemetry", JSON.stringify({ ts, values: { ...calm, h2s } }), { qos: 1 });
      await send(at - 80_000, 12);
      await send(at - 1000, 12);
      // The PUBACK is here; whatever the server had in mind is gone.
      await server.kill();
      client.end(true);
      server = await startServerProcess(place.environment);
      const read = await readerOf(server);
      const devices = await read<{ id: string }>(`/api/muyuan-iot/device/page?name=${serial}`);
      const found = async () => {
        const alarms = (await read<Alarm>(`/api/muyuan-iot/alarm/page?size=100&deviceId=${devices[0]?.id}`)).filter(
          ({ ruleId }) => ruleId === "hydrogen_sulfide_danger",
        );
        const messages = await read<Message>("/api/muyuan-message-center/message/page/user?size=100&kind=alarm");
        return {
          states: alarms.map(({ state }) => state),
          messages: messages.filter(({ link }) => link.endsWith(alarms[0]?.id ?? "none")).length,
        };
      };
      // Between two messages to one person lie 20 s, which a quick round waits for.
      await expect.poll(found, { timeout: 40_000, interval: 200 }).toEqual({ states: ["open"], messages: 1 });
      await server.kill();
    }
  } finally {
    await server?.kill();
    await place.remove();
  }
});
