import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TokenScope } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createHerdwiseClient,
  type HerdwiseClient,
  HerdwiseError,
  type HistoryRow,
} from "../../packages/client/src/index.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

const hourMs = 3_600_000;
/** Within the last day, and an hour that is over. */
const hour = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs;

let app: TestApp;
let address: string;
const tokenOf = async (...scopes: TokenScope[]): Promise<string> => {
  await app.pass(61);
  const { body } = await app.call({
    method: "POST",
    path: "/api/muyuan-auth/personal-token/submit",
    body: { tokenName: "client", scopes, days: 1 },
    token: await app.logIn("farm"),
  });
  return (body.data as { token: string }).token;
};
const clientOf = async (...scopes: TokenScope[]): Promise<HerdwiseClient> =>
  createHerdwiseClient({ baseUrl: address, token: await tokenOf(...scopes) });
const whole = async (rows: AsyncIterable<HistoryRow>): Promise<HistoryRow[]> => {
  const got: HistoryRow[] = [];
  for await (const row of rows) got.push(row);
  return got;
};

beforeAll(async () => {
  app = await createTestApp();
  address = await app.listen();
  await app.report("ENV-ZJY-01", [
    { ts: hour, values: { t_in: 20 } },
    { ts: hour + 60_000, values: { t_in: 21 } },
  ]);
});
afterAll(() => app.close());

const deviceOf = async (portal: HerdwiseClient) => {
  const { records } = await portal.get("/api/muyuan-iot/device/page", { params: { query: { name: "ENV-ZJY-01" } } });
  const [device] = records;
  if (device === undefined) throw new Error("the device is not there");
  return device;
};

test("an answer comes without its envelope, and rows of history as they arrive", async () => {
  const portal = await clientOf("devices:read", "history:read");
  const { id, name, serialNumber } = await deviceOf(portal);
  const head = { deviceId: id, device: name, serialNumber };
  expect(await whole(portal.history({ ids: id, keys: "t_in", start: hour, end: hour + hourMs }))).toEqual([
    { ...head, time: new Date(hour).toISOString(), t_in: 20 },
    { ...head, time: new Date(hour + 60_000).toISOString(), t_in: 21 },
  ]);
  const bytes = await portal.download({ ids: id, start: hour, end: hour + hourMs, format: "parquet" });
  const file = Buffer.from(await new Response(bytes).arrayBuffer());
  expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"]);
});

test("an operation that changes something takes its body, and the types ask for what is required", async () => {
  const portal = await clientOf("alarms:write");
  const refused = portal.post("/api/muyuan-iot/alarm/acknowledge", { body: { ids: "1" } });
  await expect(refused).rejects.toMatchObject({ status: 404 });
  // @ts-expect-error: without the device
  await expect(portal.get("/api/muyuan-iot/device/latest")).rejects.toBeInstanceOf(HerdwiseError);
  // @ts-expect-error: no token opens it
  await expect(portal.get("/api/muyuan-system/user/list")).rejects.toMatchObject({ reason: "token.closed" });
});

test("a refusal says its status, reason and number, wherever it comes", async () => {
  const portal = await clientOf("farms:read");
  const error = await deviceOf(portal).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(HerdwiseError);
  expect(error).toMatchObject({
    status: 403,
    reason: "token.scope",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const reader = await clientOf("history:read");
  const span = { start: hour, end: hour + hourMs };
  await expect(whole(reader.history({ ids: "7", ...span }))).rejects.toMatchObject({
    status: 404,
    reason: "device.not_found",
  });
  const unknown = createHerdwiseClient({ baseUrl: address, token: `hwp_${"a".repeat(58)}` });
  await expect(deviceOf(unknown)).rejects.toMatchObject({ status: 401 });
});

test("history that breaks off is an error, whether amid a row, between two, or ended too early", async () => {
  const ends = ["cut", "row", "short"] as const;
  for (const end of ends) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"deviceId":"1"}\n{"dev', () => {
        if (end === "short") response.end();
        else if (end === "cut") response.destroy();
        else response.write('iceId":"2"}\n', () => response.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const portal = createHerdwiseClient({ baseUrl: `http://127.0.0.1:${port}`, token: "hwp_x" });
    await expect(whole(portal.history({ ids: "1", start: 0, end: 1 })), end).rejects.toThrow();
    server.close();
  }
});

test("leaving the loop ends the transfer", async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.on("close", () => closed.resolve());
    response.write('{"deviceId":"1"}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const portal = createHerdwiseClient({ baseUrl: `http://127.0.0.1:${port}`, token: "hwp_x" });
  for await (const { deviceId } of portal.history({ ids: "1", start: 0, end: 1 })) {
    expect(deviceId).toBe("1");
    break;
  }
  await closed.promise;
  server.close();
});

test("the example runs as it stands", async () => {
  const script = join(import.meta.dirname, "..", "..", "packages", "client", "example.ts");
  const run = (token: string) =>
    promisify(execFile)(process.execPath, [script], {
      env: { ...process.env, HERDWISE_URL: address, HERDWISE_TOKEN: token },
    });
  const { stdout } = await run(await tokenOf("devices:read", "history:read"));
  expect(stdout).toContain("20.5 °C");
  await expect(run(await tokenOf("farms:read"))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("403 token.scope"),
  });
});
