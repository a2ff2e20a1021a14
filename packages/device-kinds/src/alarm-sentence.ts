/** The sentence of an alarm, in the words and units that people use. */
import type { RejectReason } from "./acceptance.ts";
import { text } from "./declare.ts";
import type { Channel, DerivedValue, DeviceKind, LocalText } from "./device-kind.ts";
import type { AlarmFigure } from "./evaluate.ts";
import { channelOfFigure } from "./own-rules.ts";
import { localUnit } from "./units.ts";

/** Sentence templates with placeholders; the Chinese ones are keys of the web's translations. */
export const alarmSentences = {
  limit: text("{rule}：{what} {value}（限 {limit}）", "{rule}: {what} {value} (limit {limit})"),
  rise: text("{rule}：{span}升了 {value}（限 {limit}）", "{rule}: up {value} in {span} (limit {limit})"),
  fall: text("{rule}：{span}降了 {value}（限 {limit}）", "{rule}: down {value} in {span} (limit {limit})"),
  type: text("{rule}：{what}的读数无法识别（{text}）", "{rule}: readings of {what} cannot be read ({text})"),
  range: text("{rule}：{what}的读数超出量程（{text}）", "{rule}: readings of {what} are out of range ({text})"),
  step: text("{rule}：{what}的读数跳变（{text}）", "{rule}: readings of {what} jump ({text})"),
  stuck: text("{rule}：{what}一直是 {value}", "{rule}: {what} stays at {value}"),
  silent: text("{rule}：没有收到{what}的读数", "{rule}: no readings of {what} come"),
} as const;

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);

type Said = Readonly<Record<string, LocalText>>;
const said = (template: LocalText, values: Said): LocalText => {
  const of = (language: "zh" | "en") =>
    fill(
      template[language],
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value[language]])),
    );
  return { zh: of("zh"), en: of("en") };
};

const same = (word: string): LocalText => ({ zh: word, en: word });
const digits = (value: number, decimals: number): string => String(Number(value.toFixed(Math.min(decimals, 2))));

/** A number with its unit; temperature differences are given in degrees Celsius, as people say them. */
function amount(value: number, { unit, decimals }: Pick<Channel, "unit" | "decimals">): LocalText {
  const told = digits(value, decimals);
  if (unit === "°C") return { zh: `${told} ℃`, en: `${told} °C` };
  const words = localUnit(unit, Number(told));
  return { zh: `${told} ${words.zh}`.trim(), en: `${told} ${words.en}`.trim() };
}

const spanOf = (seconds: number): LocalText =>
  seconds % 3600 === 0
    ? text(`${seconds / 3600} 小时`, `${seconds / 3600} h`)
    : text(`${Math.round(seconds / 60)} 分钟`, `${Math.round(seconds / 60)} min`);

/**
 * Sentence of an alarm: the rule, the measured value and its distance from the limit, or why the value is unknown.
 * @param ruleName name of a rule that a farm wrote, which the kind does not know
 */
export function alarmSentence(
  kind: DeviceKind,
  ruleId: string,
  figure: Pick<AlarmFigure, "key" | "value" | "limit" | "fields" | "named">,
  ruleName?: string,
): LocalText {
  const declared = kind.alarmRules.find(({ id }) => id === ruleId);
  const rule = figure.named ?? declared?.name ?? same(ruleName ?? ruleId);
  const key = channelOfFigure(figure.key);
  const measured: Channel | DerivedValue | undefined =
    kind.channels.find((channel) => channel.key === key) ?? kind.derived.find((derived) => derived.key === key);
  const what = measured?.name ?? same(key);
  const detector = declared?.condition.type === "detector" ? declared.condition.detector : undefined;
  if (detector === "unknown" || detector === "out-of-range") {
    const { reason, text: sent } = figure.fields ?? {};
    if (typeof reason !== "string") return said(alarmSentences.silent, { rule, what });
    // Without the quotes of JSON, which mean nothing to a farmer.
    const told = same(String(sent).replace(/^"(.*)"$/, "$1"));
    // A reason that this version does not know must not keep the alarm from being told.
    const template: LocalText | undefined = alarmSentences[reason as RejectReason];
    return template ? said(template, { rule, what, text: told }) : rule;
  }
  const { value, limit } = figure;
  // Whoever goes there has to know which probe to look at.
  if (detector === "stuck" && measured !== undefined && typeof value === "number")
    return said(alarmSentences.stuck, { rule, what, value: amount(value, measured) });
  // For a switch, or a count with the limit 0, the rule's name is enough: "0 (limit 0)" adds nothing.
  if (measured === undefined || typeof value !== "number" || measured.unit === "") {
    return typeof value === "number" && typeof limit === "number" && measured !== undefined && limit > 1
      ? said(alarmSentences.limit, { rule, what, value: amount(value, measured), limit: amount(limit, measured) })
      : rule;
  }
  if (typeof limit !== "number" || (limit === 0 && value === 0)) return rule;
  const derivation = "derivation" in measured ? measured.derivation : undefined;
  if (derivation?.from === "window" && derivation.aggregate === "change") {
    const moved = value < 0 ? alarmSentences.fall : alarmSentences.rise;
    return said(moved, {
      rule,
      span: spanOf(derivation.windowS),
      value: amount(Math.abs(value), measured),
      limit: amount(Math.abs(limit), measured),
    });
  }
  return said(alarmSentences.limit, { rule, what, value: amount(value, measured), limit: amount(limit, measured) });
}
