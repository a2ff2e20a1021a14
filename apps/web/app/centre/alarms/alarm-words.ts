import type { Alarm } from "@herdwise/contract";
import { type AlarmGuide, channelOfFigure, deviceKinds, type LocalText, localUnit } from "@herdwise/device-kinds";

/** Name of an alarm's rule. */
export function ruleNameOf({ kind, ruleId, ruleName }: Pick<Alarm, "kind" | "ruleId" | "ruleName">): LocalText {
  const name = ruleName || ruleId;
  return deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId)?.name ?? { zh: name, en: name };
}

/** What the kind says of a rule's alarms; undefined where it says nothing. */
export const guideOf = ({ kind, ruleId }: Pick<Alarm, "kind" | "ruleId">): AlarmGuide | undefined =>
  deviceKinds[kind].guides?.find(({ rule }) => rule === ruleId);

/**
 * The alarm whose steps are taken first: the cause where it says some, unless the alarm may cost lives, which is fought first whatever it
 * comes from.
 */
export const fought = <Told extends Pick<Alarm, "kind" | "ruleId" | "severity">>(alarm: Told, cause?: Told): Told =>
  cause && alarm.severity !== "CRITICAL" && guideOf(cause) ? cause : alarm;

/** How the value of an alarm is shown. */
export function declaredOf({ kind, figure }: Pick<Alarm, "kind" | "figure">): {
  unit: LocalText;
  decimals: number;
  name: LocalText;
} {
  const { channels, derived } = deviceKinds[kind];
  const name = channelOfFigure(figure.key ?? "");
  const found = channels.find(({ key }) => key === name) ?? derived.find(({ key }) => key === name);
  return found
    ? { unit: localUnit(found.unit), decimals: Math.max(found.decimals, found.unit === "°C" ? 1 : 0), name: found.name }
    : { unit: { zh: "", en: "" }, decimals: 1, name: { zh: name, en: name } };
}

export const kindNameOf = ({ kind }: Pick<Alarm, "kind">): LocalText => deviceKinds[kind].name;
