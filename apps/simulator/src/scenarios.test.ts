import {
  type AlarmChange,
  type DeviceKind,
  type DeviceKindId,
  deviceKindIds,
  deviceKinds,
} from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { beginMs, pastOf, Run } from "../../../tests/harness/scenario-run.ts";
import { volume } from "../../../tests/harness/volume.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ruleOf = (kind: DeviceKind, id: string) => kind.alarmRules.find((rule) => rule.id === id);
const describeChanges = (changes: readonly AlarmChange[]): string[] =>
  changes.map(({ type, ruleId, atMs, suppressed }) => {
    const hours = ((atMs - beginMs) / hourMs).toFixed(2);
    return `${type} ${ruleId} +${hours} h${suppressed ? " (suppressed)" : ""}`;
  });

/** What a rule's alarm stands under, by the cause graph: the first of those that lead to it and follow from nothing. */
function rootOf(kind: DeviceKind, rule: string, raised: readonly string[]): string | undefined {
  const causesOf = (effect: string): string[] =>
    raised.filter(
      (cause) => cause !== effect && kind.guides?.find((guide) => guide.rule === cause)?.leadsTo?.includes(effect),
    );
  let root: string | undefined;
  for (let [next] = causesOf(rule); next !== undefined && next !== root; [next] = causesOf(next)) root = next;
  return root;
}

/** Minutes until each alarm is first raised, by scenario and kind; what the simulator's screen tells beforehand. */
const minutes: Record<string, Partial<Record<DeviceKindId, Record<string, number>>>> = {};

const seeds = volume({ short: [1], long: [1, 2, 3, 4] });

describe.each(deviceKindIds.map((id) => [id, deviceKinds[id]] as const))("%s", (id, kind) => {
  const own = scenarios.filter(({ kinds }) => kinds.includes(id));

  it.each(own.map((scenario) => [scenario.name, scenario] as const))(
    "%s raises what it declares, and nothing else",
    (_name, scenario: Scenario) => {
      for (const seed of seeds) {
        const past = pastOf(id, scenario.learnsDays ?? 1, seed);
        expect(describeChanges(past.changes), "before it begins").toEqual([]);
        const endMs = beginMs + scenario.lastsH * hourMs;
        const run = new Run(id, seed, past, [{ name: scenario.name, fromMs: beginMs, untilMs: endMs }]);
        run.pass(endMs + (scenario.clearsH ?? 0.5) * hourMs);
        const said = describeChanges(run.changes).slice(0, 30).join("\n");
        const raised = run.changes.filter(({ type }) => type === "raised");
        if (seed === 1) {
          const first = (rule: string) => raised.find(({ ruleId }) => ruleId === rule)?.atMs ?? Number.NaN;
          const seen = scenario.alarms.map(({ rule }) => [rule, Math.round((first(rule) - beginMs) / 60_000)] as const);
          minutes[scenario.name] = { ...minutes[scenario.name], [id]: Object.fromEntries(seen) };
        }
        const found = raised.map(({ ruleId, severity, suppressed }) =>
          [ruleId, severity, ...(suppressed ? ["suppressed"] : [])].join(" "),
        );
        const declared = scenario.alarms.map(({ rule, severity, suppressed }) =>
          [rule, severity ?? ruleOf(kind, rule)?.severity, ...(suppressed ? ["suppressed"] : [])].join(" "),
        );
        expect([...new Set(found)].sort(), said).toEqual(declared.sort());
        expect(run.evaluator.raised().sort(), `open afterwards\n${said}`).toEqual([...(scenario.stays ?? [])].sort());
        const open = scenario.alarms.filter(({ suppressed }) => !suppressed).map(({ rule }) => rule);
        for (const { rule, under, suppressed } of scenario.alarms) {
          if (!suppressed) expect(rootOf(kind, rule, open), `what ${rule} stands under`).toBe(under);
        }
      }
    },
  );

  it("has at least two scenarios of its own", () => {
    expect(own.filter(({ kinds }) => kinds.length === 1).length).toBeGreaterThanOrEqual(2);
  });
});

it("the times at which alarms come are those that the simulator tells", async () => {
  await expect(`${JSON.stringify(minutes, null, 2)}\n`).toMatchFileSnapshot("expected-minutes.json");
});

it.each(scenarios.filter(({ hastens }) => hastens).map((scenario) => [scenario.name, scenario] as const))(
  "%s raises the same alarms sooner when it unfolds twelve times as fast",
  (name, { kinds, lastsH, alarms, learnsDays = 1 }) => {
    const [kind] = kinds;
    if (kind === undefined) throw new Error("no kind");
    const lastOf = (speed: number): number => {
      const endMs = beginMs + lastsH * hourMs;
      const run = new Run(kind, 1, pastOf(kind, learnsDays, 1), [{ name, fromMs: beginMs, untilMs: endMs, speed }]);
      run.pass(endMs);
      const raised = run.changes.filter(({ type }) => type === "raised");
      expect([...new Set(raised.map(({ ruleId }) => ruleId))].sort()).toEqual(alarms.map(({ rule }) => rule).sort());
      const first = alarms.map(({ rule }) => raised.find(({ ruleId }) => ruleId === rule)?.atMs ?? 0);
      return Math.max(...first) - beginMs;
    };
    expect(lastOf(12) / lastOf(1)).toBeLessThan(0.6);
  },
);

it("a value that swings about its limit is one alarm", () => {
  const scenario = scenarios.find(({ name }) => name === "gas-at-limit") as Scenario;
  const endMs = beginMs + scenario.lastsH * hourMs;
  const run = new Run("environment", 1, pastOf("environment", 1, 1), [
    { name: scenario.name, fromMs: beginMs, untilMs: endMs },
  ]);
  run.pass(endMs);
  expect(run.changes.filter(({ ruleId }) => ruleId === "ammonia_high")).toHaveLength(1);
});

/** Rules that no scenario raises, and why. */
const unexercised: Readonly<Record<string, string>> = {
  firmware_mismatch: "needs an assigned firmware, which is the server's",
  overdue: "needs a planned task, which is the server's",
  calibration_due: "needs thirty days without a calibration",
  washing_forgotten: "needs a day and an hour of washing; packages/device-kinds/src/evaluate.test.ts raises it",
};

it("every rule family is raised by a scenario", () => {
  const missing: string[] = [];
  for (const kind of Object.values(deviceKinds)) {
    const raised = new Set(
      scenarios
        .filter(({ kinds }) => kinds.includes(kind.kind))
        .flatMap(({ alarms }) => alarms.map(({ rule }) => rule)),
    );
    const familyOf = (rule: string): string => rule.replace(/_\d_/, "_1_");
    for (const { id } of kind.alarmRules) {
      if (!raised.has(familyOf(id)) && unexercised[id] === undefined) missing.push(`${kind.kind} ${id}`);
    }
  }
  expect(missing).toEqual([]);
});

describe("a quiet run", () => {
  const run = volume({ short: { days: 3, seeds: [5] }, long: { days: 14, seeds: [5, 6, 7, 8, 9] } });
  it.each(deviceKindIds.map((kind) => [kind]))(
    `%s raises nothing in ${run.days} days`,
    (kind) => {
      for (const seed of run.seeds) {
        const quiet = new Run(kind, seed, beginMs - 14 * dayMs);
        // The rest of two weeks is learnt from, as statistical rules need a past.
        quiet.pass(beginMs - run.days * dayMs, 5);
        quiet.pass(beginMs);
        expect(describeChanges(quiet.changes)).toEqual([]);
      }
    },
    120_000,
  );
});
