import type { Alarm } from "@herdwise/contract";
import { asksNow, worstFirst } from "@herdwise/contract/alarm-asking";
import { causesWithin, deviceKinds } from "@herdwise/device-kinds";

/** An alarm with all that follows from it, told by the one of them that is worst; of equally bad ones by the first of their causes. */
export interface AlarmGroup {
  /** The worst that asks; the worst of all where none asks. */
  lead: Alarm;
  /** What probably caused the lead; absent where the lead itself caused the others. */
  cause: Alarm | undefined;
  /** All others, worst first. */
  others: readonly Alarm[];
  /** Whether one of them asks for somebody. */
  asks: boolean;
}

/**
 * Alarms by what caused them: those of a list whose cause is in it stand with it, through all steps between.
 * @param nowMs ms since 1970
 * @returns worst lead first
 */
export function groupsOf(alarms: readonly Alarm[], nowMs: number): AlarmGroup[] {
  const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]));
  /** The alarm at the beginning; causes that lead back to an alarm begin nowhere, and it stands alone. */
  const rootOf = (alarm: Alarm): Alarm => {
    const passed = new Set<Alarm>();
    let root = alarm;
    for (let cause = byId.get(root.causeId); cause; cause = byId.get(root.causeId)) {
      if (passed.has(cause)) return alarm;
      passed.add(cause);
      root = cause;
    }
    return root;
  };
  const order = worstFirst(nowMs);
  return [...Map.groupBy(alarms, rootOf).entries()]
    .map(([root, members]): AlarmGroup => {
      const sorted = members.toSorted(order);
      const [first = root] = sorted;
      const asBad = sorted.filter(
        (alarm) => alarm.severity === first.severity && asksNow(alarm, nowMs) === asksNow(first, nowMs),
      );
      const ids = asBad.map(({ ruleId }) => ruleId);
      const causesOf = ({ kind, ruleId }: Alarm): number => causesWithin(deviceKinds[kind]?.guides, ruleId, ids);
      const lead = asBad.includes(root) ? root : (asBad.toSorted((a, b) => causesOf(a) - causesOf(b))[0] ?? first);
      // A lead of the same value is the cause itself that got worse.
      const isCause = lead === root || (root.figure?.key !== undefined && root.figure.key === lead.figure.key);
      return {
        lead,
        cause: isCause ? undefined : root,
        others: sorted.filter((alarm) => alarm !== lead && (isCause || alarm !== root)),
        asks: members.some((alarm) => asksNow(alarm, nowMs)),
      };
    })
    .toSorted((a, b) => order(a.lead, b.lead));
}
