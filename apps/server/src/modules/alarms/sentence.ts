import type { DeviceKindId } from "@herdwise/contract";
import { alarmSentence, deviceKinds, type LocalText } from "@herdwise/device-kinds";

/** An alarm as it is stored, as far as its words need it. */
export interface SaidAlarm {
  kind: DeviceKindId;
  ruleId: string;
  facts: { key?: string; value?: unknown; limit?: unknown; name?: string; fields?: unknown };
}

/** What an alarm of the log says in both languages. @param name of a rule that the farm wrote itself */
export const sentenceOf = ({ kind, ruleId, facts }: SaidAlarm, name: string | undefined = facts.name): LocalText =>
  alarmSentence(
    deviceKinds[kind],
    ruleId,
    { ...facts, key: facts.key ?? "" } as Parameters<typeof alarmSentence>[2],
    name,
  );

/** What can be done at once; undefined where the kind says nothing of it. */
export const firstStepOf = ({ kind, ruleId }: Pick<SaidAlarm, "kind" | "ruleId">): LocalText | undefined =>
  deviceKinds[kind].guides?.find(({ rule }) => rule === ruleId)?.steps[0];
