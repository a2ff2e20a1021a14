import { deviceKinds } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import { ruleGroups } from "./rule-groups.ts";

test.each(Object.values(deviceKinds))("each rule of $kind stands in one group, and no group is empty", (kind) => {
  const groups = ruleGroups(kind, kind.alarmRules);
  const grouped = groups.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(grouped.toSorted()).toEqual(kind.alarmRules.map(({ id }) => id).toSorted());
  expect(groups.filter(({ rules }) => rules.length === 0)).toEqual([]);
});

test("rules about ammonia stand with the air, rules about a derived value with what it is derived of", () => {
  const { environment, disinfect } = deviceKinds;
  const groupOf = (kind: typeof environment, rule: string) =>
    ruleGroups(kind, kind.alarmRules).find(({ rules }) => rules.some(({ id }) => id === rule))?.section?.en;
  expect(groupOf(environment, "ammonia_high")).toBe("Air");
  expect(groupOf(disinfect, "stock_low")).toBe("Dosing");
});
