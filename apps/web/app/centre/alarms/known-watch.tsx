import type { Alarm, AlarmKnown } from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { unitStates } from "@herdwise/contract/unit-states";
import { stateOfSeverity } from "@herdwise/device-kinds";
import { type ReactNode, useEffect } from "react";
import { useNow } from "../../shared/states/use-now.ts";
import type { WorstAlarm } from "../kind/unit-states.ts";
import { KnownMark } from "./known-mark.tsx";
import { useAlarms } from "./use-alarms.ts";

interface WatchProps {
  kind: Alarm["kind"];
  /** Called with the ids of units and devices all of whose open alarms are known, each with the mark of the worst. */
  onKnown: (known: ReadonlyMap<string, ReactNode>) => void;
  /** Called with the worst open alarm of each unit and device. */
  onWorst: (worst: ReadonlyMap<string, WorstAlarm>) => void;
}

/** Follows the open alarms of the units and devices of a kind, and which of them somebody knows of; shows nothing. */
export function KnownWatch({ kind, onKnown, onWorst }: WatchProps) {
  const { alarms = [] } = useAlarms({ kind });
  const now = useNow();
  const asking = new Set<string>();
  const known = new Map<string, AlarmKnown>();
  // In their order, what asks comes first.
  for (const alarm of alarms)
    for (const id of [alarm.unitId, alarm.deviceId]) {
      if (asksNow(alarm, now)) asking.add(id);
      else if (alarm.known && id !== "" && !asking.has(id) && !known.has(id)) known.set(id, alarm.known);
    }
  const worst = new Map<string, WorstAlarm>();
  for (const { unitId, deviceId, severity, ruleId, ruleName } of alarms)
    for (const id of [unitId, deviceId]) {
      const state = stateOfSeverity[severity];
      const held = worst.get(id);
      if (id !== "" && (!held || unitStates.indexOf(state) < unitStates.indexOf(held.state)))
        worst.set(id, { state, ruleId, ruleName });
    }
  const worstTold = JSON.stringify([...worst]);
  useEffect(() => onWorst(new Map(JSON.parse(worstTold) as [string, WorstAlarm][])), [worstTold, onWorst]);
  const knownTold = JSON.stringify([...known]);
  useEffect(() => {
    const marks = (JSON.parse(knownTold) as [string, AlarmKnown][]).map(
      ([id, of]) => [id, <KnownMark key={id} known={of} />] as const,
    );
    onKnown(new Map(marks));
  }, [knownTold, onKnown]);
  return null;
}
