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
  // An exponent, a plus sign or a bare point makes no figure.
  ['"1e3"', "1e3"],
  ['"+5"', "+5"],
  ['"5."', "5."],
  ['".5"', ".5"],
  ['""', ""],
  ['" 5"', " 5"],
  ['"0x1F"', "0x1F"],
  ['"Infinity"', "Infinity"],
  // Numbers of something: an ear tag, a serial number that no double holds.
  ['"00123"', "00123"],
  ['"12345678901234567890"', "12345678901234567890"],
  ['"true"', "true"],
  ['{"x":"5"}', { x: "5" }],
])("a value of %s is read as %j", (written, read) => {
  expect(parseTelemetry(`{"a":${written}}`, now)[0]?.values).toEqual({ a: read });
});

test("a key that the kind declares as text keeps its figures", () => {
  const [row] = parseTelemetry('{"card":"1001","t_in":"23"}', now, (key) => key === "card");
  expect(row?.values).toEqual({ card: "1001", t_in: 23 });
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
