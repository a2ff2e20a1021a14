import type { DeviceKindId } from "@herdwise/contract";
import { alarmSentence, deviceKinds, type LocalText } from "@herdwise/device-kinds";

/** The parts of a stored alarm that its sentence needs. */
export interface SaidAlarm {
  kind: DeviceKindId;
  ruleId: string;
  facts: { key?: string; value?: unknown; limit?: unknown; name?: string; named?: unknown; fields?: unknown };
}

/**
 * Sentence of a stored alarm in both languages.
 * @param name name of a rule that the farm wrote itself
 */
export const sentenceOf = ({ kind, ruleId, facts }: SaidAlarm, name: string | undefined = facts.name): LocalText =>
  alarmSentence(
    deviceKinds[kind],
    ruleId,
    { ...facts, key: facts.key ?? "" } as Parameters<typeof alarmSentence>[2],
    name,
  );

/** The first step to take; undefined where the kind declares none. */
export const firstStepOf = ({ kind, ruleId }: Pick<SaidAlarm, "kind" | "ruleId">): LocalText | undefined =>
  deviceKinds[kind].guides?.find(({ rule }) => rule === ruleId)?.steps[0];
