import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Device, HistoryReply, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

// The flow in Node-RED itself, with a sensor of Modbus TCP. Both are installed outside of the repository (some 120 MB);
// HERDWISE_NODE_RED names a folder where they are already. The newest Modbus nodes bring a package from a host of their own.
const packages = ["node-red@5.0.7", "node-red-contrib-modbus@5.23.3", "modbus-serial@8.0.25"];

interface ModbusServer {
  close(done: () => void): void;
}
interface ModbusLibrary {
  ServerTCP: new (
    vector: { getHoldingRegister: (address: number) => number },
    options: { host: string; port: number; unitID: number },
  ) => ModbusServer;
}

let folder: string;
let isOwn = false;
let app: TestApp;
let nodeRed: ChildProcess | undefined;
let sensor: ModbusServer | undefined;
const said: string[] = [];

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
};

beforeAll(async () => {
  app = await createTestApp();
  folder = process.env.HERDWISE_NODE_RED ?? "";
  isOwn = folder === "";
  if (!isOwn) return;
  folder = await mkdtemp(join(tmpdir(), "herdwise-node-red-"));
  await writeFile(join(folder, "package.json"), '{"private":true}');
  await promisify(execFile)("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: folder });
});
afterAll(async () => {
  if (nodeRed && nodeRed.exitCode === null) {
    nodeRed.kill();
    await once(nodeRed, "exit");
  }
  await new Promise<void>((resolve) => (sensor ? sensor.close(resolve) : resolve()));
  await app.close();
  if (isOwn) await rm(folder, { recursive: true, force: true });
});

test("Node-RED polls a sensor by Modbus TCP, and its readings are stored as those of the device", async () => {
  const address = await app.listen();
  const port = await freePort();
  const registers = [215, 612, 900];
  const { ServerTCP } = createRequire(join(folder, "package.json"))("modbus-serial") as ModbusLibrary;
  sensor = new ServerTCP({ getHoldingRegister: (at) => registers[at] ?? 0 }, { host: "127.0.0.1", port, unitID: 1 });
  const home = await mkdtemp(join(tmpdir(), "herdwise-flow-"));
  const flow = JSON.parse(
    await readFile(join(import.meta.dirname, "..", "..", "deploy", "integrations", "modbus", "flows.json"), "utf8"),
  ) as { id: string; rate?: string }[];
  // Each second instead of each minute; all else as it stands.
  const quick = flow.map((node) => (node.id === "hw-read" ? { ...node, rate: "1" } : node));
  await writeFile(join(home, "flows.json"), JSON.stringify(quick));
  await writeFile(
    join(home, "settings.js"),
    `module.exports = { flowFile: "flows.json", uiPort: ${await freePort()}, uiHost: "127.0.0.1", disableEditor: true,
      nodesDir: ${JSON.stringify(join(folder, "node_modules", "node-red-contrib-modbus"))}, credentialSecret: "test" };`,
  );
  const script = join(folder, "node_modules", "node-red", "red.js");
  await access(script);
  nodeRed = spawn(process.execPath, [script, "--userDir", home, "--settings", join(home, "settings.js")], {
    env: {
      PATH: process.env.PATH,
      HERDWISE_URL: address,
      HERDWISE_DEVICE_TOKEN: `${demoTokenPrefix}ENV-ZJY-01`,
      MODBUS_HOST: "127.0.0.1",
      MODBUS_PORT: String(port),
    },
  });
  for (const stream of [nodeRed.stdout, nodeRed.stderr]) stream?.on("data", (text) => said.push(String(text)));
  const farm = await app.logIn("farm");
  const page = await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=10&name=ENV-ZJY-01", farm);
  const id = page.body.data.records[0]?.id;
  const valuesOf = async (key: string) => {
    const span = `start=${Date.now() - 600_000}&end=${Date.now() + 60_000}&resolution=raw`;
    const path = `/api/muyuan-iot/telemetry/history?id=${id}&key=${key}&${span}`;
    return (await app.get<HistoryReply>(path, farm)).body.data.points.map(([, value]) => value);
  };
  const wait = { timeout: 120_000, interval: 200 };
  await expect
    .poll(async () => (await valuesOf("t_in")).length, { ...wait, message: said.join("") })
    .toBeGreaterThan(1);
  expect([(await valuesOf("t_in"))[0], (await valuesOf("rh"))[0], (await valuesOf("co2"))[0]]).toEqual([
    21.5, 61.2, 900,
  ]);
  registers[0] = 218;
  await expect.poll(async () => (await valuesOf("t_in")).at(-1), wait).toBe(21.8);
  await rm(home, { recursive: true, force: true });
});
