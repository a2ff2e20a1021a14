import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import type { Device, HistoryReply, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

/** A node of a flow of Node-RED. */
interface FlowNode {
  id: string;
  type: string;
  z?: string;
  server?: string;
  wires?: string[][];
  func?: string;
}
interface Message {
  payload?: unknown;
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  statusCode?: number;
}

const flow: FlowNode[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "deploy", "integrations", "modbus", "flows.json"), "utf8"),
);
const nodeOf = (id: string): FlowNode => {
  const node = flow.find((one) => one.id === id);
  if (node === undefined) throw new Error(`${id} is not in the flow`);
  return node;
};

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await createTestApp();
  address = await app.listen();
});
afterAll(() => app.close());

test("the flow is whole: its wires and clients lead to nodes of it, by types that Node-RED and its Modbus nodes have", () => {
  expect(new Set(flow.map(({ type }) => type))).toEqual(
    new Set(["tab", "modbus-client", "modbus-read", "function", "http request"]),
  );
  for (const { id, z, server, wires = [] } of flow) {
    for (const next of [...wires.flat(), ...(z ? [z] : []), ...(server ? [server] : [])])
      expect(() => nodeOf(next), id).not.toThrow();
  }
  const path = ["hw-read"];
  for (let next = nodeOf("hw-read").wires?.[0]?.[0]; next; next = nodeOf(next).wires?.[0]?.[0]) path.push(next);
  expect(path).toEqual(["hw-read", "hw-collect", "hw-send", "hw-settle"]);
});

/** Runs the functions of the flow as Node-RED does, with one flow context and a clock. */
function runtime(token: string) {
  const held = new Map<string, unknown>();
  const warnings: string[] = [];
  const clock = { now: Date.now() - 3_600_000 };
  class Clock extends Date {
    static override now = () => clock.now;
  }
  const settings: Record<string, string> = { HERDWISE_URL: address, HERDWISE_DEVICE_TOKEN: token };
  const run = (id: string, msg: Message): Message | null =>
    runInNewContext(`(() => {${nodeOf(id).func}\n})()`, {
      msg,
      Date: Clock,
      flow: { get: (name: string) => held.get(name), set: (name: string, value: unknown) => held.set(name, value) },
      env: { get: (name: string) => settings[name] },
      node: { status: () => undefined, warn: (text: string) => warnings.push(text) },
    });
  const send = async ({ url = "", method = "", headers = {}, payload }: Message): Promise<number> =>
    (await fetch(url, { method, headers, body: JSON.stringify(payload) })).status;
  return {
    clock,
    warnings,
    waiting: () => (held.get("queue") as unknown[]).length,
    /** What the sensor answered comes in; the answer of the portal goes to the end of the flow. */
    async poll(registers: number[], answer: (message: Message) => Promise<number> = send) {
      clock.now += 60_000;
      const message = run("hw-collect", { payload: registers });
      if (message !== null) run("hw-settle", { statusCode: await answer(message) });
      return message;
    },
  };
}
const storedOf = async (key: string) => {
  const farm = await app.logIn("farm");
  const page = await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=10&name=ENV-ZJY-01", farm);
  const id = page.body.data.records[0]?.id;
  const span = `start=${Date.now() - 7_200_000}&end=${Date.now()}&resolution=raw`;
  const path = `/api/muyuan-iot/telemetry/history?id=${id}&key=${key}&${span}`;
  return (await app.get<HistoryReply>(path, farm)).body.data.points.map(([, value]) => value);
};

test("registers become readings of the portal, and what it did not take waits until it does", async () => {
  const { poll, waiting, warnings } = runtime(`${demoTokenPrefix}ENV-ZJY-01`);
  await poll([215, 612, 900]);
  expect([waiting(), warnings]).toEqual([0, []]);
  const away = async () => 503;
  await poll([216, 613, 901], away);
  await poll([217, 614, 902], async () => "ECONNREFUSED" as unknown as number);
  expect([waiting(), warnings.length]).toEqual([2, 2]);
  await poll([218, 615, 903]);
  expect(waiting()).toBe(0);
  expect(await storedOf("t_in")).toEqual([21.5, 21.6, 21.7, 21.8]);
  expect(await storedOf("rh")).toEqual([61.2, 61.3, 61.4, 61.5]);
  expect(await storedOf("co2")).toEqual([900, 901, 902, 903]);
});

test("frost is below zero, a refused message does not hold up the next ones, and the queue is bounded", async () => {
  const messages: Message[] = [];
  const { poll, waiting, warnings } = runtime("nobody");
  const answer = (status: number) => async (message: Message) => {
    messages.push(message);
    return status;
  };
  await poll([65_530, 500, 600], answer(400));
  expect(messages[0]?.payload).toMatchObject([{ values: { t_in: -0.6, rh: 50, co2: 600 } }]);
  expect([waiting(), warnings.length]).toEqual([0, 1]);
  for (let turn = 0; turn < 1200; turn += 1) await poll([200, 500, 600], answer(503));
  expect(waiting()).toBe(1000);
  await poll([200, 500, 600], answer(200));
  expect(waiting()).toBe(500);
  expect(messages.at(-1)?.payload).toHaveLength(500);
});

test("while a message is under way no other is sent, for a minute at most", async () => {
  const { poll, clock } = runtime("nobody");
  const never = Promise.withResolvers<number>();
  void poll([200, 500, 600], () => never.promise);
  clock.now -= 30_000;
  expect(await poll([200, 500, 600])).toBeNull();
  clock.now += 60_000;
  expect(await poll([200, 500, 600], async () => 200)).not.toBeNull();
});
