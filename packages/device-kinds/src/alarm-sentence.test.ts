import { describe, expect, test } from "vitest";
import { alarmSentence } from "./alarm-sentence.ts";
import { limitValue, mainComparison } from "./conditions.ts";
import type { ReportedValue } from "./device-kind.ts";
import { deviceKinds } from "./generated/device-kinds.ts";

/** The figure of an alarm of the rule: the compared value, slightly beyond its limit. */
function figureOf(kind: (typeof deviceKinds)[keyof typeof deviceKinds], rule: (typeof kind.alarmRules)[number]) {
  const main = mainComparison(rule.condition);
  if (main === undefined) {
    const over = rule.condition.type === "detector" ? rule.condition.over[0] : undefined;
    return over === undefined ? { key: "" } : { key: over, fields: { reason: "type", text: '"36,5"' } };
  }
  const channel = kind.channels.find(({ key }) => key === main.key);
  const limit = limitValue(kind, main.limit, () => 20, { pigstyType: "fattening", parameters: {} });
  const value: ReportedValue =
    channel?.type === "boolean" ? false : typeof limit === "number" ? limit + (main.op.startsWith("l") ? -3 : 3) : "x";
  return { key: main.key, value, ...(limit !== undefined && { limit }) };
}

const rules = Object.values(deviceKinds).flatMap((kind) => kind.alarmRules.map((rule) => ({ kind, rule })));

test("what the alarms of all rules of all kinds say, to be read", () => {
  const list = rules.map(({ kind, rule }) => {
    const { zh, en } = alarmSentence(kind, rule.id, figureOf(kind, rule));
    return `${kind.kind.padEnd(24)}${rule.severity.padEnd(9)}${zh}   |   ${en}`;
  });
  process.stdout.write(`${list.join("\n")}\n`);
  expect(list.length).toBeGreaterThan(100);
});

describe.each(rules.map(({ kind, rule }) => ({ name: `${kind.kind} ${rule.id}`, kind, rule })))(
  "$name",
  ({ kind, rule }) => {
    const { zh, en } = alarmSentence(kind, rule.id, figureOf(kind, rule));

    test("is a sentence in both languages, without codes, empty places or a nothing beside a nothing", () => {
      expect(zh.startsWith(rule.name.zh) && en.startsWith(rule.name.en)).toBe(true);
      for (const sentence of [zh, en]) {
        expect(sentence).not.toMatch(/[{}]|undefined|NaN|\bK\b|[a-z]_[a-z]/);
        expect(sentence).not.toMatch(/(?<![\d.])0（限 0）|(?<![\d.])0 \(limit 0\)/);
      }
      expect(en).not.toMatch(/[\u4e00-\u9fff]/);
    });
  },
);

test("a sensor that stands still is named with what it says", () => {
  expect(alarmSentence(deviceKinds.environment, "sensor_stuck", { key: "rh", value: 64 })).toEqual({
    zh: "传感器无变化：湿度一直是 64 %",
    en: "Sensor stuck: Humidity stays at 64 %",
  });
  expect(alarmSentence(deviceKinds.environment, "sensor_stuck", { key: "" }).en).toBe("Sensor stuck");
});

test("a rise is told with its time, in degrees", () => {
  const kind = deviceKinds.environment;
  const rising = kind.alarmRules.find(
    ({ id }) => id === "temperature_rising" || /急升/.test(kind.alarmRules.find((r) => r.id === id)?.name.zh ?? ""),
  );
  if (rising === undefined) throw new Error("there is no rule for a fast rise");
  const { key } = figureOf(kind, rising);
  expect(alarmSentence(kind, rising.id, { key, value: 16, limit: 2 })).toEqual({
    zh: `${rising.name.zh}：10 分钟升了 16 ℃（限 2 ℃）`,
    en: `${rising.name.en}: up 16 °C in 10 min (limit 2 °C)`,
  });
});

test("nobody knows: what was sent, or that nothing comes", () => {
  const kind = deviceKinds.environment;
  expect(
    alarmSentence(kind, "temperature_unknown", { key: "t_in", fields: { reason: "type", text: '"36,5"' } }).zh,
  ).toBe("舍温未知：平均温度的读数无法识别（36,5）");
  expect(alarmSentence(kind, "temperature_unknown", { key: "t_in" }).zh).toBe("舍温未知：没有收到平均温度的读数");
});

test("a reason of rejection that nobody declared leaves the rule's name, so that the alarm is told all the same", () => {
  const found = rules.find(
    ({ rule: { condition } }) =>
      condition.type === "detector" && ["unknown", "out-of-range"].includes(condition.detector),
  );
  if (!found) throw new Error("no kind rejects readings");
  const { kind, rule } = found;
  const figure = { key: kind.channels[0]?.key ?? "", fields: { reason: "not-declared", text: "x" } };
  expect(alarmSentence(kind, rule.id, figure)).toEqual(rule.name);
});
