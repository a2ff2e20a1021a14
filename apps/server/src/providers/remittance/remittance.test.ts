import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { httpRemittance } from "./http.ts";
import { RemittanceFault, type RemittanceOrder } from "./remittance.ts";
import { sandboxArrivalMs, sandboxLateMs, sandboxRemittance } from "./sandbox.ts";

const secret = "a secret that the gateway shares";
let clock = Date.UTC(2026, 2, 20, 6, 8);
const order: RemittanceOrder = {
  id: "1560000000000000777",
  accountName: "南阳市禾牧养殖有限公司",
  bankName: "示例农商银行",
  branchName: "内乡县灌涨支行",
  bankCode: "402513600021",
  bankAccount: "8111222233334444",
  amountFen: 1,
};

/** What the gateway holds: orders by id, and how often each was paid. */
const paid = new Map<string, number>();
let answer: "works" | "twice" | "fails" | "refuses" | "stutters" | "lies" | "hangs" = "works";

/** A gateway of a bank; shares no code with the adapter. */
const gateway = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  if (answer === "hangs") return;
  const { "x-timestamp": timestamp = "", "x-signature": signature } = request.headers;
  const expected = createHmac("sha256", secret)
    .update(`${request.method}\n${request.url}\n${timestamp}\n${body}`)
    .digest("hex");
  if (signature !== expected || Math.abs(Number(timestamp) - clock) > 300_000)
    return void response.writeHead(401).end("{}");
  if (answer === "stutters") return void response.writeHead(502).end("<html>");
  if (answer === "lies") return void response.end('{"state":"paid out"}');
  const reply = (body: object) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
  if (request.method === "POST") {
    if (answer === "refuses") return void response.writeHead(422).end("{}");
    const sent = JSON.parse(body) as RemittanceOrder;
    // An order that is there is not paid again.
    if (!paid.has(sent.id)) paid.set(sent.id, sent.amountFen);
    return void reply({ state: "sent", reference: "2603 2014 08" });
  }
  const id = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
  if (!paid.has(id)) return void response.writeHead(404).end("{}");
  if (answer === "fails") return void reply({ state: "failed", reference: "2603", failure: "name_mismatch" });
  reply({ state: "arrived", reference: "2603 2014 08", arrivals: answer === "twice" ? 2 : 1 });
});
let url = "";
beforeAll(async () => {
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/bank`;
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});
beforeEach(() => {
  answer = "works";
  paid.clear();
});

const bank = (with_ = secret) => httpRemittance({ url, secret: with_, now: () => clock });
const asked = { ...order, sentAt: new Date(clock) };

test("an order is paid once however often it is handed over, and its arrival is told", async () => {
  expect(await bank().standing(asked)).toEqual({ state: "unknown" });
  await Promise.all([bank().send(order), bank().send(order)]);
  expect(await bank().send(order)).toEqual({ state: "sent", reference: "2603 2014 08" });
  expect([...paid]).toEqual([[order.id, 1]]);
  expect(await bank().standing(asked)).toEqual({ state: "arrived", reference: "2603 2014 08", arrivals: 1 });
  answer = "twice";
  expect(await bank().standing(asked)).toMatchObject({ state: "arrived", arrivals: 2 });
});

test("a refusal of the bank is a failure with its reason; what it can't mean is a fault, never an arrival", async () => {
  await bank().send(order);
  answer = "fails";
  expect(await bank().standing(asked)).toEqual({ state: "failed", reference: "2603", failure: "name_mismatch" });
  answer = "refuses";
  expect(await bank().send(order)).toMatchObject({ state: "failed", failure: "refused" });
  for (const state of ["stutters", "lies"] as const) {
    answer = state;
    const fault = await bank()
      .standing(asked)
      .catch((error: unknown) => error);
    expect(fault, state).toBeInstanceOf(RemittanceFault);
    expect(String(fault)).not.toContain(order.bankAccount);
  }
});

test("a wrong secret gets nothing, and a gateway that hangs is given up", async () => {
  await expect(bank("another secret").send(order)).rejects.toThrow("401");
  answer = "hangs";
  await expect(bank().send(order)).rejects.toBeInstanceOf(RemittanceFault);
  expect(paid.size).toBe(0);
});

test("the sandbox arrives, fails, comes late, twice or never, by the end of the account number", async () => {
  const sandbox = sandboxRemittance(() => clock);
  const after = (ending: string, ms: number) =>
    sandbox.standing({ ...order, bankAccount: `811122223333${ending}`, sentAt: new Date(clock - ms) });
  expect(await sandbox.send(order)).toMatchObject({ state: "sent" });
  expect(await after("4444", sandboxArrivalMs - 1)).toMatchObject({ state: "sent" });
  expect(await after("4444", sandboxArrivalMs)).toMatchObject({ state: "arrived", arrivals: 1 });
  expect(await after("9001", sandboxArrivalMs)).toMatchObject({ state: "failed", failure: "name_mismatch" });
  expect(await after("9002", sandboxArrivalMs)).toMatchObject({ state: "failed", failure: "not_public" });
  expect(await after("9003", sandboxArrivalMs)).toMatchObject({ state: "failed", failure: "no_account" });
  expect(await after("9004", sandboxLateMs - 1)).toMatchObject({ state: "sent" });
  expect(await after("9004", sandboxLateMs)).toMatchObject({ state: "arrived" });
  expect(await after("9005", sandboxArrivalMs)).toMatchObject({ state: "arrived", arrivals: 2 });
  expect(await after("9006", 100 * 86_400_000)).toMatchObject({ state: "sent" });
  clock += 1;
  expect(await after("4444", sandboxArrivalMs)).toMatchObject({ state: "arrived" });
});
