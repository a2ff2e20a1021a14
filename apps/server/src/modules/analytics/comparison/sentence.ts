import { type ComparedPlace, type ComparisonReply, type DeviceKindId, deathsMeasure } from "@herdwise/contract";
import { deviceKinds, type LocalText, localUnit } from "@herdwise/device-kinds";

const nameOf = ({ farmName, houseName, unitName, deviceName }: ComparedPlace): string =>
  [farmName, houseName, unitName || deviceName].filter((part) => part !== "").join(" ");

/** The clearest answer of a comparison in one sentence of each language, for a message; names are as they were entered. */
export function sentenceOf({ lines, answers }: ComparisonReply, kind: DeviceKindId): LocalText {
  const answer = answers.find(({ verdict }) => verdict === "different") ?? answers[0];
  const [first, other] = [lines[answer?.first ?? -1], lines[answer?.other ?? -1]];
  if (answer === undefined || first === undefined || other === undefined)
    return { zh: "这周没有可比的数", en: "nothing to compare this week" };
  const channel = deviceKinds[kind].channels.find(({ key }) => key === answer.key);
  const measure = answer.key === deathsMeasure || channel === undefined ? { zh: "死亡", en: "Deaths" } : channel.name;
  const unit = channel ? localUnit(channel.unit) : { zh: "头/千头·天", en: "per 1,000 pigs and day" };
  const shown = (value: number | undefined): string => (value ?? 0).toFixed(Math.max(1, channel?.decimals ?? 2));
  const pair = first.isEarlier
    ? { zh: `${nameOf(other)}和上一段`, en: `${nameOf(other)} and its earlier span` }
    : { zh: `${nameOf(first)}和${nameOf(other)}`, en: `${nameOf(first)} and ${nameOf(other)}` };
  if (answer.verdict === "too-few")
    return {
      zh: `${pair.zh}的${measure.zh}：天数太少，还看不出差多少`,
      en: `${measure.en}: too few days to tell how ${pair.en} differ`,
    };
  const [low, high] = [answer.low ?? 0, answer.high ?? 0]
    .map((end) => ((answer.size ?? 0) < 0 ? -end : end))
    .sort((a, b) => a - b);
  const isDifferent = answer.verdict === "different";
  const size = shown(Math.abs(answer.size ?? 0));
  return {
    zh: `${pair.zh}的${measure.zh}差 ${size} ${unit.zh}（95 % ${shown(low)} 到 ${shown(high)}），${isDifferent ? "不像是波动" : "分不出是差别还是波动"}`,
    en: `${measure.en}: ${pair.en} are ${size} ${unit.en} apart (95 % ${shown(low)} to ${shown(high)}), ${isDifferent ? "more than noise" : "which may be noise"}`,
  };
}
