import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DeviceCommand } from "@herdwise/contract";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../tests/faults/devices.ts";
import { createTestApp, type TestApp } from "../../../../tests/harness/app.ts";
import { processEnvironment } from "../config.ts";
import { freePort } from "../free-port.ts";
import { connectOutsideBroker, type OutsideBroker } from "./outside-broker.ts";

/** Where distributions put programs of the system, which are not on everybody's PATH. */
const binary = [...(processEnvironment().PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]
  .map((folder) => join(folder, "mosquitto"))
  .find((path) => existsSync(path));
const manual = readFileSync(
  fileURLToPath(new URL("../../../../docs/operations/mqtt-brokers.md", import.meta.url)),
  "utf8",
);
/** The settings that the manual shows for Mosquitto, in their order. */
const [listeners = "", deviceRights = "", serverRights = "", gatewayListener = "", farmBridge = ""] = [
  ...manual.slice(manual.indexOf("## Mosquitto 2"), manual.indexOf("## EMQX 5")).matchAll(/```\n(.*?)```/gs),
].map(([, block]) => block ?? "");

describe.skipIf(binary === undefined)("Mosquitto with the settings of the manual", () => {
  let app: TestApp;
  let owner: string;
  let device: InsertedDevice;
  let stock: InsertedDevice;
  let gateway: InsertedDevice;
  let bridged: InsertedDevice;
  let folder: string;
  let ports: { devices: number; servers: number; stock: number; gateway: number; farm: number };
  let broker: ChildProcess;
  let farm: ChildProcess;
  let server: OutsideBroker;
  const clients: MqttClient[] = [];

  const answers = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
  const run = async (file: string, port: number): Promise<ChildProcess> => {
    const child = spawn(String(binary), ["-c", join(folder, file)], { stdio: "ignore" });
    await vi.waitFor(async () => expect(await answers(port)).toBe(true), { timeout: 10_000, interval: 20 });
    return child;
  };
  const startBroker = async () => {
    broker = await run("mosquitto.conf", ports.gateway);
  };
  const stopBroker = async () => {
    broker.kill("SIGTERM");
    await once(broker, "exit");
  };

  beforeAll(async () => {
    app = await createTestApp();
    owner = await app.logIn("farm");
    const made = await insertDevices(app.test, 4);
    [device, stock, gateway, bridged] = made as [InsertedDevice, InsertedDevice, InsertedDevice, InsertedDevice];
    const { pool } = app.test.database;
    await pool.query("update devices set tenant_id = '100002' where id = any($1)", [made.map(({ id }) => id)]);
    await pool.query("update devices set is_gateway = true, may_create_children = true where id = $1", [gateway.id]);
    folder = mkdtempSync(join(tmpdir(), "herdwise-mosquitto-"));
    ports = {
      devices: await freePort(),
      servers: await freePort(),
      stock: await freePort(),
      gateway: await freePort(),
      farm: await freePort(),
    };
    const mounted = (port: number, { token }: InsertedDevice) =>
      gatewayListener.replace("1901", String(port)).replace("<token>", token);
    const settings = [listeners, mounted(ports.stock, stock), mounted(ports.gateway, gateway)]
      .join("\n")
      .replace("listener 1883", `listener ${ports.devices}`)
      .replace("listener 1884", `listener ${ports.servers}`)
      .replaceAll("/etc/mosquitto", folder);
    const own = [...(process.getuid?.() === 0 ? ["user root"] : []), `persistence_location ${folder}/`];
    writeFileSync(join(folder, "mosquitto.conf"), `${own.join("\n")}\n${settings}`);
    const bridge = farmBridge
      .replace("listener 1883", `listener ${ports.farm}`)
      .replace("broker:1883", `127.0.0.1:${ports.devices}`)
      .replace("persistence true\n", "")
      .replaceAll("<token>", bridged.token);
    writeFileSync(join(folder, "farm.conf"), `${own.slice(0, -1).join("\n")}\n${bridge}`);
    writeFileSync(join(folder, "devices.acl"), deviceRights);
    writeFileSync(join(folder, "servers.acl"), serverRights);
    execFileSync("mosquitto_passwd", ["-b", "-c", join(folder, "servers.passwd"), "herdwise", "secret"]);
    for (const file of ["devices.acl", "servers.acl", "servers.passwd"]) chmodSync(join(folder, file), 0o600);
    await startBroker();
    farm = await run("farm.conf", ports.farm);
    server = await connectOutsideBroker({
      url: `mqtt://herdwise:secret@127.0.0.1:${ports.servers}`,
      uplink: app.uplink,
      log: pino({ level: "silent" }),
      clientId: "herdwise-manual",
      shared: false,
    });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  });
  afterAll(async () => {
    await server?.stop();
    farm?.kill("SIGTERM");
    await stopBroker();
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await app.test.database.pool.query<Row>(text, values)).rows;
  const open = async (port: number, { token }: InsertedDevice, options: IClientOptions = {}) => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: token,
      protocolVersion: 4,
      reconnectPeriod: 100,
      ...options,
    });
    client.on("error", () => undefined);
    clients.push(client);
    return client;
  };
  const say = (client: MqttClient, topic: string, body: unknown) =>
    client.publishAsync(topic, JSON.stringify(body), { qos: 1 });
  const newest = async (id: string) =>
    (
      await query<{ value: string }>(
        "select readings -> 't_in' ->> 'value' as value from device_readings where device_id = $1",
        [id],
      )
    )[0]?.value;

  test("devices with the prefix, and stock ones without it, are stored as themselves", async () => {
    await say(await open(ports.devices, device), `herdwise/${device.token}/v1/devices/me/telemetry`, { t_in: 21 });
    await say(await open(ports.stock, stock), "v1/devices/me/telemetry", { t_in: 22 });
    const client = await open(ports.gateway, gateway);
    await say(client, "v1/gateway/connect", { device: "Pen 1", type: "environment" });
    await say(client, "v1/gateway/telemetry", { "Pen 1": [{ t_in: 23 }] });
    await expect.poll(() => newest(device.id)).toBe("21");
    await expect.poll(() => newest(stock.id)).toBe("22");
    const child = async () =>
      (await query<{ id: string }>("select id from devices where gateway_id = $1", [gateway.id]))[0]?.id ?? "0";
    await expect.poll(async () => newest(await child())).toBe("23");
  });

  /** Reports, asks and obeys as a stock device. @returns the topics on which it heard something */
  async function converse(port: number, of: InsertedDevice, seen: (topic: string) => string): Promise<string[]> {
    const client = await open(port, of);
    const heard: string[] = [];
    client.on("message", (topic) => heard.push(topic));
    await client.subscribeAsync(["v1/devices/me/rpc/request/+", "v1/devices/me/rpc/response/+"], { qos: 1 });
    await say(client, "v1/devices/me/telemetry", { t_in: 22.5 });
    await expect.poll(() => newest(of.id)).toBe("22.5");
    await say(client, "v1/devices/me/rpc/request/77", { method: "getCurrentTime" });
    await expect.poll(() => heard).toContain(seen("v1/devices/me/rpc/response/77"));
    const answer = await app.call({
      method: "POST",
      path: "/api/muyuan-iot/command/submit",
      body: { deviceId: of.id, method: "setLight", params: { on: true } },
      token: owner,
    });
    const { id, requestId } = answer.body.data as DeviceCommand;
    await expect.poll(() => heard).toContain(seen(`v1/devices/me/rpc/request/${requestId}`));
    await say(client, `v1/devices/me/rpc/response/${requestId}`, { success: true });
    await expect
      .poll(() => query("select state from device_commands where id = $1", [id]))
      .toEqual([{ state: "succeeded" }]);
    return heard;
  }

  test("commands and answers come down to a stock device behind a bridge, without the prefix", async () => {
    const heard = await converse(ports.farm, bridged, (topic) => topic);
    expect(heard.filter((topic) => topic.startsWith("herdwise/"))).toEqual([]);
  });

  test("commands and answers come down to a stock device on a mount point; before 2.0.12 with the prefix, as the manual warns", async () => {
    const [, minor = "0", patch = "0"] =
      /mosquitto version 2\.(\d+)\.(\d+)/.exec(spawnSync(String(binary), ["-h"]).stdout.toString()) ?? [];
    const keepsPrefix = Number(minor) === 0 && Number(patch) < 12;
    await converse(ports.stock, stock, (topic) => (keepsPrefix ? `herdwise/${stock.token}/${topic}` : topic));
  });

  test("another token on a stock device's port, no name, and a device that names another one's prefix reach nothing", async () => {
    const before = await Promise.all([device, stock, gateway].map(({ id }) => newest(id)));
    const heard: string[] = [];
    for (const [port, username] of [
      [ports.stock, device.token],
      [ports.stock, undefined],
      [ports.stock, "+"],
      [ports.devices, device.token],
      [ports.devices, undefined],
    ] as const) {
      const client = await open(port, device, { username: username as string });
      client.on("message", (topic) => heard.push(topic));
      await client.subscribeAsync(["#", "v1/devices/me/#", `herdwise/${stock.token}/#`], { qos: 1 }).catch(() => []);
      await say(client, "v1/devices/me/telemetry", { t_in: 66 });
      await say(client, `herdwise/${stock.token}/v1/devices/me/telemetry`, { t_in: 66 });
    }
    // The servers' session takes messages in turn: what comes behind shows that the others were passed over.
    const client = await open(ports.stock, stock);
    await say(client, "v1/devices/me/telemetry", { t_in: 24 });
    await expect.poll(() => newest(stock.id)).toBe("24");
    expect(await newest(device.id)).toBe(before[0]);
    expect(await newest(gateway.id)).toBe(before[2]);
    expect(heard).toEqual([]);
  });

  test("R06: Mosquitto is restarted while devices send: all come back, nothing that it acknowledged is lost", async () => {
    const client = await open(ports.stock, stock);
    const begun = Date.now() - 240;
    const send = (by: MqttClient, from: number) =>
      Array.from({ length: 120 }, (_, n) =>
        say(by, "v1/devices/me/telemetry", { ts: begun + from + n, values: { n } }),
      );
    const sent = send(client, 0);
    await sent[5];
    await stopBroker();
    await startBroker();
    // The server is not back yet: its subscription must have outlived the restart.
    await Promise.all([...sent, ...send(await open(ports.stock, stock, { clientId: "early" }), 120)]);
    const stored = () => query("select from telemetry_values t where device_id = $1 and t.readings ? 'n'", [stock.id]);
    await expect.poll(async () => (await stored()).length, { timeout: 25_000 }).toBe(240);
  });
});
