import { type EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceCommand, Envelope, TokenReply } from "@herdwise/contract";
import mqtt, { type MqttClient } from "mqtt";
import { afterEach, describe, expect, test } from "vitest";
import { demoDevices, demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { redisAnswers, redisUrl } from "../harness/redis.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { type Balancer, openBalancer } from "./balancer.ts";
import { ReportingDevice } from "./reporting-device.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Rounds go on until there were so many and so much time has passed. */
const least = volume({ short: { rounds: 2, ms: 0 }, long: { rounds: 20, ms: 600_000 } });
const othersTakeOver = volume({ short: false, long: true });
const reporters = 30;
/** Messages per second of each. */
const rate = 20;
const tickMs = 20;
/** Devices that get a command before, while and after a server is killed. */
const commanded = ["ENV-ZJY-01", "ENV-ZJY-02", "ENV-ZJY-03"];
/** One that does not acknowledge its command before its server is killed. */
const silentSerial = "ENV-ZJY-04";
const alarming = demoDevices()
  .filter(({ kind, serialNumber }) => kind === "environment" && ![...commanded, silentSerial].includes(serialNumber))
  .map(({ serialNumber }) => serialNumber);
const rpcPrefix = "v1/devices/me/rpc/request/";
const calm = { t_in: 22, t_target: 22, rh: 65, co2: 1500, mains: true, mode: "normal", pigs: 400 };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Three servers that were started with folders of their own, of which each can be started again. */
async function startThree({ url }: TestDatabase) {
  const start = async (dataDir: string) =>
    startServerProcess({
      DATABASE_URL: url,
      // A database of Redis that no other test uses: keys of a process have the product's own names.
      REDIS_URL: Object.assign(new URL(redisUrl), { pathname: "/12" }).href,
      SECRET_KEY: "a key for tests that is long enough to be one",
      DATA_DIR: dataDir,
      TRUST_PROXY: "127.0.0.1",
    });
  const folders = await Promise.all([0, 1, 2].map(() => mkdtemp(join(tmpdir(), "herdwise-balanced-"))));
  const servers = await Promise.all(folders.map(start));
  opened.push(async () => {
    for (const server of servers) await server.kill();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  return {
    servers,
    async restart(at: number): Promise<void> {
      servers[at] = await start(String(folders[at]));
    },
  };
}

/** The owner of the farms, who reaches whichever server the balancer gives. */
async function ownerBehind(balancer: Balancer) {
  const base = `http://127.0.0.1:${balancer.port}`;
  const query = new URLSearchParams({ grant_type: "password", username: "farm", password: md5(demoPassword) });
  const entered = await fetch(`${base}/api/muyuan-auth/oauth/token?${query}`, {
    method: "POST",
    headers: { authorization: basic },
  });
  const { access_token: token } = (await entered.json()) as TokenReply;
  const headers = { authorization: basic, "muyuan-auth": `bearer ${token}`, "content-type": "application/json" };
  return {
    /** As a page does: the same command is asked for again, under its key, when no answer came. */
    async give(deviceId: string, requestKey: string): Promise<string> {
      for (let tries = 0; ; tries += 1) {
        try {
          const answer = await fetch(`${base}/api/muyuan-iot/command/submit`, {
            method: "POST",
            headers,
            body: JSON.stringify({ deviceId, method: "setLight", params: { on: true }, requestKey }),
          });
          if (answer.status === 200) return ((await answer.json()) as Envelope<DeviceCommand>).data.id;
          throw new Error(`${answer.status} ${await answer.text()}`);
        } catch (error) {
          if (tries === 5) throw error;
        }
      }
    },
  };
}

/** A device that carries commands out and tells so, through whatever connection it has. */
async function obey(balancer: Balancer, serialNumber: string): Promise<{ client: MqttClient; done: Set<string> }> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${balancer.port}`, {
    username: `${demoTokenPrefix}${serialNumber}`,
    protocolVersion: 4,
    reconnectPeriod: 50,
  });
  const done = new Set<string>();
  client.on("error", () => undefined);
  client.on("message", (topic) => {
    const id = topic.slice(rpcPrefix.length);
    done.add(id);
    client.publish(`v1/devices/me/rpc/response/${id}`, '{"success":true}', { qos: 1 });
  });
  await once(client as unknown as EventEmitter, "connect");
  await client.subscribeAsync(`${rpcPrefix}+`, { qos: 1 });
  opened.push(() => client.endAsync(true));
  return { client, done };
}

/** A connection of a device that the balancer gave to the server of the port. */
async function connectAt(balancer: Balancer, serialNumber: string, port: number): Promise<MqttClient> {
  for (let tries = 0; tries < 10; tries += 1) {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${balancer.port}`, {
      username: `${demoTokenPrefix}${serialNumber}`,
      reconnectPeriod: 0,
    });
    client.on("error", () => undefined);
    opened.push(() => client.end(true));
    const { localPort } = client.stream as unknown as { localPort: number };
    if (balancer.targetOf(localPort) === port) return client;
    client.end(true);
  }
  throw new Error("the balancer never came to that server");
}

/** Sends what raises an alarm, and waits for the acknowledgements. */
async function alarm(client: MqttClient): Promise<void> {
  for (const ts of [Date.now() - 80_000, Date.now() - 1000])
    await client.publishAsync("v1/devices/me/telemetry", JSON.stringify({ ts, values: { ...calm, h2s: 12 } }), {
      qos: 1,
    });
}

describe.skipIf(!redisAnswers)("three servers behind a balancer", () => {
  test(
    "one is killed each round: no acknowledged message, no command and no alarm is lost",
    async () => {
      const test = await createTestDatabase(2);
      opened.push(() => test.drop());
      const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
        (await test.database.pool.query<Row>(text, values)).rows;
      const { servers, restart } = await startThree(test);
      const devices = await openBalancer(servers.map(({ mqttPort }) => mqttPort));
      const people = await openBalancer(servers.map(({ httpPort }) => httpPort));
      opened.push(devices.close, people.close);
      const owner = await ownerBehind(people);
      const idOf = async (serialNumber: string) =>
        String((await query<{ id: string }>("select id from devices where serial_number = $1", [serialNumber]))[0]?.id);
      const commandedIds = await Promise.all(commanded.map(idOf));
      await Promise.all(commanded.map((serialNumber) => obey(devices, serialNumber)));

      const lines = demoDevices()
        .filter(({ kind }) => kind !== "environment")
        .slice(0, reporters)
        .map(({ serialNumber }) => new ReportingDevice(devices.port, `${demoTokenPrefix}${serialNumber}`));
      opened.push(() => {
        for (const line of lines) line.end();
      });
      await Promise.all(lines.map((line) => line.connect()));
      let sent = 0;
      let due = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        const at = performance.now();
        due += ((at - last) / 1000) * rate * reporters;
        last = at;
        for (; due >= 1; due -= 1) {
          lines[sent % reporters]?.report(sent);
          sent += 1;
        }
      }, tickMs);
      opened.push(() => clearInterval(timer));
      const acknowledged = () => lines.reduce((sum, line) => sum + line.acknowledged.size, 0);

      const silentId = await idOf(silentSerial);
      const statesOf = (ids: string[]) =>
        query<{ state: string; commands: string }>(
          "select state, count(*)::text as commands from device_commands where id = any($1) group by 1",
          [ids],
        );
      const given: string[] = [];
      const raised: string[] = [];
      // A withdrawn one counts: people were told of it.
      const alarms = () =>
        query<{ serial_number: string; alarms: number }>(
          `select d.serial_number, count(*)::int as alarms from alarms a join devices d on d.id = a.device_id
            where a.rule_id = 'hydrogen_sulfide_danger' group by 1 order by 1`,
        );
      const asRaised = () => raised.toSorted().map((serial_number) => ({ serial_number, alarms: 1 }));
      const begun = performance.now();
      let round = 0;
      for (; round < least.rounds || performance.now() - begun < least.ms; round += 1) {
        const at = round % servers.length;
        const victim = servers[at] as ServerProcess;
        const before = acknowledged();
        await expect.poll(acknowledged).toBeGreaterThan(before + 100);
        const place = String(alarming[round % alarming.length]);
        if (round < alarming.length) {
          await alarm(await connectAt(devices, place, victim.mqttPort));
          raised.push(place);
        }
        // A command that was sent, and that its device had not acknowledged when its server died.
        const silent = await connectAt(devices, silentSerial, victim.mqttPort);
        silent.handleMessage = () => undefined;
        await silent.subscribeAsync(`${rpcPrefix}+`, { qos: 1 });
        const unheard = await owner.give(silentId, `${round}-unheard`);
        given.push(unheard);
        await expect.poll(() => statesOf([unheard])).toEqual([{ state: "sent", commands: "1" }]);
        const giveAll = (when: string) =>
          Promise.all(commandedIds.map((id) => owner.give(id, `${round}-${when}-${id}`)));
        const [, early, meanwhile] = await Promise.all([victim.kill(), giveAll("early"), giveAll("meanwhile")]);
        given.push(...early, ...meanwhile, ...(await giveAll("late")));
        const { client: awake } = await obey(devices, silentSerial);
        // Sooner than what was sent and never acknowledged is sent again by itself.
        await expect
          .poll(() => statesOf([unheard]), { timeout: 10_000 })
          .toEqual([{ state: "succeeded", commands: "1" }]);
        await awake.endAsync();
        const killed = acknowledged();
        await expect.poll(acknowledged).toBeGreaterThan(killed + 100);
        // The others take over what the dead one had in hand, after they have not seen it for 20 s; a server that starts does at once.
        if (othersTakeOver) await expect.poll(alarms, { timeout: 60_000 }).toEqual(asRaised());
        await restart(at);
        devices.targets = servers.map(({ mqttPort }) => mqttPort);
        people.targets = servers.map(({ httpPort }) => httpPort);
      }
      clearInterval(timer);
      await expect.poll(() => lines.reduce((sum, { waiting }) => sum + waiting, 0), { timeout: 20_000 }).toBe(0);

      await expect
        .poll(() => statesOf(given), { timeout: 20_000 })
        .toEqual([{ state: "succeeded", commands: String(given.length) }]);
      await expect.poll(alarms, { timeout: 20_000 }).toEqual(asRaised());

      const stored = new Map(
        (
          await query<{ n: string; times: string }>(
            `select t.readings->>'message' as n, count(*) as times from telemetry_values t
              where t.readings->>'message' is not null group by 1`,
          )
        ).map(({ n, times }) => [Number(n), Number(times)]),
      );
      const lost = lines.flatMap((line) => [...line.acknowledged]).filter((value) => !stored.has(value)).length;
      const doubled = [...stored.values()].filter((times) => times > 1).length;
      console.log(
        `balanced-servers: ${round} of three servers killed, ${sent} sent, ${stored.size} stored, ${lost} lost, ${doubled} doubled; ` +
          `${given.length} commands, ${raised.length} alarms; ${lines.reduce((sum, { connections }) => sum + connections, 0)} connections`,
      );
      expect({ lost, doubled, stored: stored.size }).toEqual({ lost: 0, doubled: 0, stored: sent });
      // Somebody must have lost a server.
      expect(lines.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThan(reporters + round);
    },
    least.ms * 1.5 + 300_000,
  );
});
