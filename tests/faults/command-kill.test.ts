import { type EventEmitter, once } from "node:events";
import type { Device, DeviceCommand, Envelope, Page, TokenReply } from "@herdwise/contract";
import mqtt, { type MqttClient } from "mqtt";
import { expect, test } from "vitest";
import { demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { basic, md5 } from "../harness/session.ts";
import { openPlace } from "./load.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const rpcPrefix = "v1/devices/me/rpc/request/";

/** Logs the owner in at a server. */
async function ownerAt({ httpPort }: ServerProcess) {
  const base = `http://127.0.0.1:${httpPort}`;
  const query = new URLSearchParams({ grant_type: "password", username: "farm", password: md5(demoPassword) });
  const answer = await fetch(`${base}/api/muyuan-auth/oauth/token?${query}`, {
    method: "POST",
    headers: { authorization: basic },
  });
  const { access_token: token } = (await answer.json()) as TokenReply;
  const headers = { authorization: basic, "muyuan-auth": `bearer ${token}`, "content-type": "application/json" };
  const read = async <Data>(path: string, body?: object): Promise<Data> => {
    const reply = await fetch(`${base}/api/muyuan-iot/${path}`, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return ((await reply.json()) as Envelope<Data>).data;
  };
  return {
    devices: async () => (await read<Page<Device>>("device/page?size=3&kind=environment")).records,
    give: (deviceId: string, on: boolean) =>
      read<DeviceCommand>("command/submit", { deviceId, method: "setLight", params: { on } }),
    stateOf: async (id: string) => (await read<DeviceCommand>(`command/detail?id=${id}`)).state,
  };
}

/** A device that listens; whether it acknowledges what it gets is up to the test. */
async function listen({ mqttPort }: ServerProcess, { serialNumber }: Device, acknowledges: boolean) {
  const client: MqttClient = mqtt.connect(`mqtt://127.0.0.1:${mqttPort}`, {
    username: `${demoTokenPrefix}${serialNumber}`,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
  if (!acknowledges) client.handleMessage = () => undefined;
  client.on("error", () => undefined);
  const got: string[] = [];
  client.on("message", (topic) => got.push(topic.slice(rpcPrefix.length)));
  await once(client as unknown as EventEmitter, "connect");
  await client.subscribeAsync(`${rpcPrefix}+`, { qos: 1 });
  return { client, got };
}

test("kill -9 while commands are queued, sent and delivered: each is done once after the restart, under its number", async () => {
  const place = await openPlace();
  let server: ServerProcess | undefined;
  const clients: MqttClient[] = [];
  try {
    server = await startServerProcess(place.environment);
    const before = await ownerAt(server);
    const [away, silent, heard] = (await before.devices()) as [Device, Device, Device];
    const first = await Promise.all([listen(server, silent, false), listen(server, heard, true)]);
    clients.push(...first.map(({ client }) => client));
    const given = await Promise.all([away, silent, heard].map(({ id }) => before.give(id, true)));
    const wanted = ["queued", "sent", "delivered"];
    await expect
      .poll(() => Promise.all(given.map(({ id }) => before.stateOf(id))), { timeout: 10_000 })
      .toEqual(wanted);
    await server.kill();

    server = await startServerProcess(place.environment);
    const after = await ownerAt(server);
    const lines = await Promise.all(
      [away, silent, heard].map((device) => listen(server as ServerProcess, device, true)),
    );
    clients.push(...lines.map(({ client }) => client));
    const numbers = given.map(({ requestId }) => String(requestId));
    await expect.poll(() => lines[0]?.got, { timeout: 10_000 }).toEqual([numbers[0]]);
    await expect.poll(() => lines[1]?.got, { timeout: 10_000 }).toEqual([numbers[1]]);
    // Each device answers twice, the second time the opposite: the first word counts.
    for (const success of [true, false])
      for (const [at, { client }] of lines.entries())
        await client.publishAsync(`v1/devices/me/rpc/response/${numbers[at]}`, JSON.stringify({ success }), { qos: 1 });
    const states = () => Promise.all(given.map(({ id }) => after.stateOf(id)));
    await expect.poll(states, { timeout: 10_000 }).toEqual(["succeeded", "succeeded", "succeeded"]);
    // What was delivered is not delivered again: the device may have carried it out.
    expect(lines[2]?.got).toEqual([]);
    for (const client of clients.splice(0)) await client.endAsync(true);
    expect(await server.stop()).toBe(0);
    const rows = await place.read<{ state: string; attempts: number }>(
      `select state, attempts from device_commands where id in (${given.map(({ id }) => id).join(", ")}) order by id`,
    );
    expect(rows.map(({ state }) => state)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(rows.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2]);
  } finally {
    for (const client of clients) await client.endAsync(true);
    await server?.kill();
    await place.remove();
  }
});
