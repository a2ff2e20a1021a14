import type { Alarm } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { groupsOf } from "./alarm-groups.ts";

const nowMs = 1_000_000;
const alarm = (id: string, severity: Alarm["severity"], causeId = "", untilMs?: number): Alarm =>
  ({
    id,
    severity,
    causeId,
    state: "open",
    raisedMs: Number(id),
    ...(untilMs === undefined ? {} : { known: { untilMs } }),
  }) as Alarm;
const told = (alarms: readonly Alarm[]) =>
  groupsOf(alarms, nowMs).map(({ lead, cause, others, asks }) => [
    lead.id,
    cause?.id,
    others.map(({ id }) => id),
    asks,
  ]);

describe("groups of alarms", () => {
  test("are told by their worst alarm that asks", () => {
    expect(told([alarm("1", "MINOR"), alarm("2", "CRITICAL", "1"), alarm("3", "MAJOR", "1")])).toEqual([
      ["2", "1", ["3"], true],
    ]);
    const known = nowMs + 1;
    expect(told([alarm("1", "MINOR"), alarm("2", "CRITICAL", "1", known)])).toEqual([["1", undefined, ["2"], true]]);
  });

  test("are told by their cause where it is as bad as what follows", () => {
    expect(told([alarm("1", "MAJOR", "2"), alarm("2", "MAJOR")])).toEqual([["2", undefined, ["1"], true]]);
    expect(told([alarm("1", "MAJOR", "", nowMs + 1)])).toEqual([["1", undefined, [], false]]);
  });

  test("are told by the first of equally bad alarms, without the same value as its own cause", () => {
    const of = (id: string, severity: Alarm["severity"], ruleId: string, key: string, causeId?: string): Alarm =>
      ({ ...alarm(id, severity, causeId), kind: "disinfect", ruleId, figure: { key } }) as Alarm;
    const low = of("1", "MINOR", "stock_low", "stock");
    const [still, empty] = [of("2", "MAJOR", "no_dosing", "pump", "1"), of("3", "MAJOR", "stock_empty", "stock", "1")];
    expect(told([low, still, empty])).toEqual([["3", undefined, ["2", "1"], true]]);
    expect(told([low, still])).toEqual([["2", "1", [], true]]);
  });

  test("hold what follows through several steps, also where causes form a ring", () => {
    expect(told([alarm("1", "MAJOR"), alarm("2", "MINOR", "1"), alarm("3", "WARN", "2")])).toEqual([
      ["1", undefined, ["2", "3"], true],
    ]);
    expect(told([alarm("1", "MAJOR", "2"), alarm("2", "MINOR", "1")])).toEqual([
      ["1", undefined, [], true],
      ["2", undefined, [], true],
    ]);
  });

  test("stand with the worst first", () => {
    expect(told([alarm("1", "MINOR"), alarm("2", "WARN"), alarm("3", "CRITICAL", "2")]).map(([id]) => id)).toEqual([
      "3",
      "1",
    ]);
  });
});
