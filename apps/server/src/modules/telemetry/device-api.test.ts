import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createTestApp, type TestApp } from "../../../../../tests/harness/app.ts";
import { failuresPerMinute } from "./known-tokens.ts";

let app: TestApp;
let device: InsertedDevice;

beforeAll(async () => {
  // Stops the server's clock, so that a device's budget is not refilled when the test is slow.
  vi.useFakeTimers({ toFake: ["Date"] });
  app = await createTestApp();
  [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
});
afterAll(async () => {
  await app.close();
  vi.useRealTimers();
});

const post = (path: string, payload?: string | Buffer, token = device.token, type = "application/json") =>
  app.http.inject({
    method: "POST",
    url: `/api/v1/${token}/${path}`,
    ...(payload !== undefined && { payload, headers: { "content-type": type } }),
  });
const readings = async () => {
  const { rows } = await app.test.database.pool.query<{ readings: Record<string, unknown> }>(
    "select t.readings as readings from telemetry_values t where device_id = $1 order by ts",
    [device.id],
  );
  return rows.map((row) => row.readings);
};

test("200 comes when the data can be read back, whatever content type is claimed", async () => {
  for (const [n, type] of ["application/json", "text/plain", "application/x-www-form-urlencoded"].entries()) {
    const answer = await post("telemetry", `{"n":${n}}`, device.token, type);
    expect(answer.statusCode).toBe(200);
    expect((await readings()).at(-1)).toEqual({ n });
  }
});

test("libraries probe with an empty message: it is taken and stores nothing, and a figure in quotes is a number", async () => {
  const before = await readings();
  for (const empty of ["{}", "[]", '{"n":null}']) expect((await post("telemetry", empty)).statusCode).toBe(200);
  expect(await readings()).toEqual(before);
  expect((await post("telemetry", '{"n":"7.5","none":null}')).statusCode).toBe(200);
  expect((await readings()).at(-1)).toEqual({ n: 7.5 });
});

test("401 for a wrong token, before the body is looked at", async () => {
  const answer = await post("telemetry", Buffer.alloc(900_000), "wrong");
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toEqual({ reason: "unknown token" });
  expect((await app.http.inject({ method: "GET", url: "/api/v1/wrong/attributes" })).statusCode).toBe(401);
});

test("an address that tries unknown tokens is not asked about others any more, while known devices behind it pass", async () => {
  const from = "198.51.100.7";
  const [another] = (await insertDevices(app.test, 1)) as [InsertedDevice];
  const sendFrom = async (token: string, remoteAddress: string) => {
    const url = `/api/v1/${token}/telemetry`;
    return (await app.http.inject({ method: "POST", url, remoteAddress, payload: "{}" })).statusCode;
  };
  expect(await sendFrom(device.token, from)).toBe(200);
  for (let one = 0; one < failuresPerMinute; one += 1) expect(await sendFrom(`made-up-${one}`, from)).toBe(401);
  expect(await sendFrom(another.token, from)).toBe(401);
  expect(await sendFrom(device.token, from)).toBe(200);
  expect(await sendFrom(another.token, "198.51.100.8")).toBe(200);
});

test.each([
  ["{", "not_json"],
  [undefined, "not_json"],
  ["[1]", "wrong_form"],
  ['{"a":1e999}', "bad_number"],
  ['{"ts":"soon","values":{"a":1}}', "bad_time"],
  [`{"a":"${"x".repeat(260 * 1024)}"}`, "too_large"],
])("400 with the reason for a bad payload: %.20s", async (payload, reason) => {
  const before = await readings();
  const answer = await post("telemetry", payload);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({ reason });
  expect(await readings()).toEqual(before);
});

test("a time in seconds and bytes that are not UTF-8 are refused saying so", async () => {
  const seconds = await post("telemetry", `{"ts":${Math.round(Date.now() / 1000)},"values":{"t_in":30}}`);
  expect([seconds.statusCode, seconds.json()]).toEqual([
    400,
    { reason: "time_in_seconds", message: "time looks like seconds; milliseconds are wanted" },
  ]);
  const gbk = Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xce, 0xc2, 0xb6, 0xc8]), Buffer.from('"}')]);
  const url = `/api/v1/${device.token}/telemetry`;
  const coded = await app.http.inject({ method: "POST", url, payload: gbk });
  expect(coded.json()).toEqual({ reason: "not_utf8", message: "the text is not UTF-8" });
});

test("429 when a device is too fast; all drops are counted on its page", async () => {
  let taken = 0;
  while ((await app.uplink.telemetry(device, "{")) === "not_json") taken += 1;
  // The tests above used some of the 9,000.
  expect(taken).toBeGreaterThan(8900);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post("telemetry", '{"a":1}')));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 429));
  expect(answers[0]?.json()).toEqual({ reason: "too_fast" });
  await vi.waitFor(
    async () => {
      const { rows } = await app.test.database.pool.query<{ reason: string; messages: string }>(
        "select reason, messages from device_dropped_messages where device_id = $1",
        [device.id],
      );
      const counted = new Map(rows.map(({ reason, messages }) => [reason, Number(messages)]));
      expect(counted.get("too_fast")).toBe(21);
      expect(counted.get("too_large")).toBe(1);
    },
    { timeout: 6000 },
  );
});

test("attributes are merged and read; events are stored once by their id", async () => {
  const [other] = (await insertDevices(app.test, 1)) as [InsertedDevice];
  expect((await post("attributes", '{"firmwareVersion":"2.0","x":1}', other.token)).statusCode).toBe(200);
  const read = await app.http.inject({ method: "GET", url: `/api/v1/${other.token}/attributes?clientKeys=x` });
  expect(read.json()).toEqual({ client: { x: 1 } });
  for (let i = 0; i < 2; i += 1) {
    expect(
      (await post("events", '[{"type":"shot","id":"7","dose":2},{"type":"shot","id":"8"}]', other.token)).statusCode,
    ).toBe(200);
  }
  const { rows } = await app.test.database.pool.query("select event_id from device_events where device_id = $1", [
    other.id,
  ]);
  expect(rows).toHaveLength(2);
});
