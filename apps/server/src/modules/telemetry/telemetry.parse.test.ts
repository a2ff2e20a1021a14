import { createAcceptance, deviceKinds } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import {
  Dropped,
  type DropReason,
  messageLimits,
  parseAttributes,
  parseEvents,
  parseTelemetry,
} from "./telemetry.parse.ts";

const now = Date.UTC(2026, 10, 21, 8);
const reasonOf = (work: () => unknown): DropReason | "taken" => {
  try {
    work();
    return "taken";
  } catch (error) {
    if (error instanceof Dropped) return error.reason;
    throw error;
  }
};

test("the three forms of telemetry", () => {
  expect(parseTelemetry('{"t_in":23.4,"rh":61}', now)).toEqual([
    { ts: now, values: { t_in: 23.4, rh: 61 }, clockSkew: false, timeless: true },
  ]);
  expect(parseTelemetry(`{"ts":${now - 5},"values":{"t_in":1}}`, now)).toEqual([
    { ts: now - 5, values: { t_in: 1 }, clockSkew: false, timeless: false },
  ]);
  expect(parseTelemetry(`[{"t_in":1},{"ts":${now - 5},"values":{"t_in":2}}]`, now)).toHaveLength(2);
});

test("values may be numbers, booleans, texts and JSON; an unknown key is kept", () => {
  const [row] = parseTelemetry('{"a":1,"b":true,"c":"x","d":{"e":[1]},"neu":"y"}', now);
  expect(row?.values).toEqual({ a: 1, b: true, c: "x", d: { e: [1] }, neu: "y" });
});

test.each<[string, unknown]>([
  ['"23.4"', 23.4],
  ['"-5"', -5],
  ['"0"', 0],
  ['"0.50"', 0.5],
  // A text with an exponent, a plus sign or a bare decimal point is no number.
  ['"1e3"', "1e3"],
  ['"+5"', "+5"],
  ['"5."', "5."],
  ['".5"', ".5"],
  ['""', ""],
  ['" 5"', " 5"],
  ['"0x1F"', "0x1F"],
  ['"Infinity"', "Infinity"],
  // Identifiers: an ear tag, and a serial number that a double can't hold.
  ['"00123"', "00123"],
  ['"12345678901234567890"', "12345678901234567890"],
  ['"true"', "true"],
  ['{"x":"5"}', { x: "5" }],
])("a value of %s is read as %j", (written, read) => {
  expect(parseTelemetry(`{"a":${written}}`, now)[0]?.values).toEqual({ a: read });
});

test("a key that the kind declares as text keeps its figures", () => {
  const accept = createAcceptance(deviceKinds["dosing-station"]);
  const [row] = parseTelemetry('{"batch":"1001","tank_1_t":"23"}', now, accept);
  expect(row).toMatchObject({ values: { batch: "1001", tank_1_t: 23 } });
});

test("null is no value, and what has none stores nothing", () => {
  expect(parseTelemetry('{"a":null,"b":1}', now)[0]?.values).toEqual({ b: 1 });
  for (const empty of ["{}", "[]", '{"a":null}', `{"ts":${now},"values":{}}`, "[{},{}]"])
    expect([empty, parseTelemetry(empty, now)]).toEqual([empty, []]);
});

test("a time in quotes is read", () => {
  expect(parseTelemetry(`{"ts":"${now - 5}","values":{"a":1}}`, now)[0]?.ts).toBe(now - 5);
  expect(parseEvents(`{"ts":"${now - 5}","type":"shot","id":1}`, now)[0]?.ts).toBe(now - 5);
});

test("a time more than 5 minutes ahead becomes the time of receipt and is flagged", () => {
  expect(parseTelemetry(`{"ts":${now + messageLimits.aheadMs + 1},"values":{"a":1}}`, now)[0]).toMatchObject({
    ts: now,
    clockSkew: true,
  });
  expect(parseTelemetry(`{"ts":${now + messageLimits.aheadMs},"values":{"a":1}}`, now)[0]).toMatchObject({
    clockSkew: false,
  });
});

test.each<[string, DropReason]>([
  ["{", "not_json"],
  ["", "not_json"],
  ["3", "wrong_form"],
  [`{"ts":${now},"values":5}`, "wrong_form"],
  [`{"ts":${now},"values":[1]}`, "wrong_form"],
  [`{"ts":${now},"values":null}`, "wrong_form"],
  ['[[{"a":1}]]', "wrong_form"],
  ['{"":1}', "wrong_form"],
  ['{"a":1e999}', "bad_number"],
  ['{"a":"x\\u0000"}', "bad_text"],
  ['{"a":"\\ud800"}', "bad_text"],
  ['{"ts":"x","values":{"a":1}}', "bad_time"],
  ['{"ts":-1,"values":{"a":1}}', "bad_time"],
  ['{"ts":1.5,"values":{"a":1}}', "bad_time"],
  ['{"ts":null,"values":{"a":1}}', "bad_time"],
  ['{"ts":"","values":{"a":1}}', "bad_time"],
  [`{"a":${"[".repeat(12)}${"]".repeat(12)}}`, "too_deep"],
  [`{"a":"${"x".repeat(messageLimits.bytes)}"}`, "too_large"],
  [JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, i]))), "too_many_keys"],
])("%.40s is dropped as %s", (payload, reason) => {
  expect(reasonOf(() => parseTelemetry(payload, now))).toBe(reason);
});

test("readings of a kind that cannot be true are told apart from the others of their message", () => {
  const accept = createAcceptance(deviceKinds.environment);
  const [row] = parseTelemetry(
    '{"t_in":-127,"t1":"31,5","t2":"31.5","rh":true,"mains":1,"other":"x","co2":null}',
    now,
    accept,
  );
  expect(row?.values).toEqual({ t2: 31.5, other: "x" });
  expect(row?.rejected).toEqual({
    t_in: { reason: "range", text: "-127" },
    t1: { reason: "type", text: '"31,5"' },
    rh: { reason: "type", text: "true" },
    mains: { reason: "type", text: "1" },
  });
  expect(parseTelemetry('{"t_in":"ERR"}', now, accept)).toHaveLength(1);
});

test.each<[string, DropReason]>([
  [String(Math.round(now / 1000)), "time_in_seconds"],
  [`"${Math.round(now / 1000)}"`, "time_in_seconds"],
  [String(now * 1000), "time_in_microseconds"],
])("a time of %s is refused as %s", (ts, reason) => {
  expect(reasonOf(() => parseTelemetry(`{"ts":${ts},"values":{"a":1}}`, now))).toBe(reason);
  expect(reasonOf(() => parseEvents(`{"ts":${ts},"type":"shot","id":1}`, now))).toBe(reason);
});

test("bytes that are not UTF-8 are refused as that", () => {
  const gbk = Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xce, 0xc2, 0xb6, 0xc8]), Buffer.from('"}')]);
  expect(reasonOf(() => parseTelemetry(gbk, now))).toBe("not_utf8");
  expect(parseTelemetry(Buffer.from('{"note":"温度"}'), now)[0]?.values).toEqual({ note: "温度" });
});

test("a device cannot write under the keys of rejected readings", () => {
  expect(reasonOf(() => parseTelemetry('{"rejected:t_in":1}', now))).toBe("wrong_form");
});

test("events need a type and an id", () => {
  expect(parseEvents('{"type":"shot","id":12,"dose":0.2}', now)).toEqual([
    { type: "shot", eventId: "12", ts: now, body: { dose: 0.2 } },
  ]);
  expect(reasonOf(() => parseEvents('{"type":"shot"}', now))).toBe("wrong_form");
  expect(reasonOf(() => parseEvents('{"id":"1"}', now))).toBe("wrong_form");
});

test("attributes are one object", () => {
  expect(parseAttributes('{"firmwareVersion":"1.4.2"}')).toEqual({ firmwareVersion: "1.4.2" });
  expect(parseAttributes("{}")).toEqual({});
  expect(reasonOf(() => parseAttributes("[1]"))).toBe("wrong_form");
});
