import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWebhookSender, isPublicAddress, WebhookFault } from "./webhook.ts";

let server: Server;
let port: number;
/** What reached the stand-in: it is inside, so without leave nothing may. */
const reached: { path: string; body: string }[] = [];
let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '{"errcode":0}' };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

beforeAll(async () => {
  server = createServer(async (request, reply) => {
    reached.push({ path: request.url ?? "", body: await bodyOf(request) });
    reply.writeHead(answer.status, answer.headers);
    reply.end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

describe("inside", () => {
  const closed = createWebhookSender({
    allowedNetworks: [],
    resolve: async (host) => (host === "both.example" ? ["93.184.215.14", "127.0.0.1"] : ["127.0.0.1"]),
  });
  const hosts = [
    "127.0.0.1",
    "localhost",
    "0.0.0.0",
    "127.1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12::1]",
    "[ff02::1]",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "192.0.2.1",
    "inside.example",
    "both.example",
    "127.0.0.1.nip.io",
  ];
  const forms = (host: string) => [
    `http://${host}:${port}/canary`,
    `https://${host}/canary`,
    `https://${host}:${port}/canary`,
    `https://${host}:8443/canary`,
  ];
  const others = [
    "file:///etc/passwd",
    "ftp://93.184.215.14/",
    "gopher://127.0.0.1/",
    "data:text/plain,x",
    "https://",
    "//127.0.0.1",
    "canary",
    "http://93.184.215.14/",
    "https://93.184.215.14:22/",
    "https://93.184.215.14:5432/",
    "https://user:secret@93.184.215.14/",
    `https://${"a".repeat(1100)}.example/`,
  ];
  test(`${hosts.length * 4 + others.length} addresses are refused, and the one that waits inside is not reached`, async () => {
    for (const url of hosts.flatMap(forms)) {
      await expect(closed.post(url, {}), url).rejects.toThrow("the address is not on the internet");
    }
    for (const url of others) await expect(closed.check(url), url).rejects.toBeInstanceOf(WebhookFault);
    expect(reached).toEqual([]);
  });
});

describe("what an administrator allows", () => {
  const names: string[] = [];
  const open = createWebhookSender({
    allowedNetworks: ["127.0.0.0/8"],
    resolve: async (host) => {
      names.push(host);
      return ["127.0.0.1"];
    },
  });
  const base = () => `http://hooks.example:${port}`;

  test("a webhook gets its JSON at the address that was checked, and its name is asked for once", async () => {
    await open.post(`${base()}/hook?key=secret`, { type: "alarms", alarms: [{ id: "1" }] });
    expect(reached.at(-1)).toEqual({ path: "/hook?key=secret", body: '{"type":"alarms","alarms":[{"id":"1"}]}' });
    expect(names).toEqual(["hooks.example"]);
  });

  test("a group robot of WeChat Work gets a text, and what it answers counts", async () => {
    await open.robot(`${base()}/cgi-bin/webhook/send?key=k`, "紧急 市电断电");
    expect(JSON.parse(reached.at(-1)?.body ?? "")).toEqual({ msgtype: "text", text: { content: "紧急 市电断电" } });
    answer = { status: 200, body: '{"errcode":93000,"errmsg":"invalid webhook url"}' };
    await expect(open.robot(`${base()}/send`, "x")).rejects.toThrow("93000");
    answer = { status: 200, body: "<html>" };
    await expect(open.robot(`${base()}/send`, "x")).rejects.toBeInstanceOf(WebhookFault);
  });

  test("a delivery goes to the address that was checked, whatever its name leads to later, and any answer is told", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const asked: string[] = [];
    const rebound = createWebhookSender({
      allowedNetworks: ["127.0.0.0/8"],
      resolve: async (host) => {
        asked.push(host);
        return answers.shift() ?? [];
      },
    });
    answer = { status: 404, body: "y".repeat(100_000) };
    const told = await rebound.deliver(`${base()}/rebound`, "{}", { "webhook-id": "1" });
    expect([told.status, told.text]).toEqual([404, "y".repeat(500)]);
    expect(asked).toEqual(["hooks.example"]);
    const before = reached.length;
    await expect(rebound.deliver(`${base()}/rebound`, "{}", {})).rejects.toThrow("not on the internet");
    answer = { status: 302, body: "", headers: { location: `http://127.0.0.1:${port}/elsewhere` } };
    answers.push(["127.0.0.1"]);
    expect((await rebound.deliver(`${base()}/rebound`, "{}", {})).status).toBe(302);
    expect(reached.slice(before).map(({ path }) => path)).toEqual(["/rebound"]);
  });

  test("redirects are not followed, faults and floods are faults, and no text names the address", async () => {
    const before = reached.length;
    const refused = async (): Promise<string> => {
      const fault = await open.post(`${base()}/secret-key`, {}).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(WebhookFault);
      return (fault as Error).message;
    };
    answer = { status: 302, body: "", headers: { location: `http://127.0.0.1:${port}/elsewhere` } };
    expect(await refused()).not.toContain("secret-key");
    answer = { status: 500, body: "" };
    await refused();
    answer = { status: 200, body: "x".repeat(100_000) };
    await refused();
    expect(reached.length - before).toBe(3);
  });
});

test("what is on the internet", () => {
  expect(["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07::1"].filter((address) => !isPublicAddress(address))).toEqual(
    [],
  );
});
