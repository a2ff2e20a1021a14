import {
  type Comparison,
  type Condition,
  channelOfFigure,
  type DeviceKind,
  type DeviceKindId,
  deviceKinds,
  knownForMs,
  type Limit,
  type LocalText,
  localUnit,
  type OwnRulePart,
  type RuleThreshold,
} from "@herdwise/device-kinds";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useLocalText } from "../kind/kind-view.ts";

export const comparisonSigns: Readonly<Record<Comparison, string>> = {
  gt: ">",
  ge: "≥",
  lt: "<",
  le: "≤",
  eq: "=",
  ne: "≠",
};

/** Chinese, keys of the translations; what a number of a detector means. */
const parameterNames: Readonly<Record<string, string>> = {
  after_s: "多久以后（秒）",
  window_s: "看多长时间（秒）",
  every_s: "应隔多久一次（秒）",
  deviation_below: "变化不超过",
  sigmas: "高出几倍标准差",
  above_k: "高出多少",
  above: "高于平时几倍",
  below: "低于平时几倍",
  baseline_days: "和前几天比",
  windows: "连续几个时段",
  last: "看最近几次",
  above_percent: "超过百分之几",
  beyond_percent: "偏差超过百分之几",
  least_percent: "至少百分之几",
};

/** Channels that a rule over many names. */
const mostNamed = 4;

const declared = (kind: DeviceKind, key: string): { name: LocalText; unit: string } => {
  const channel = channelOfFigure(key);
  return (
    kind.channels.find((one) => one.key === channel) ??
    kind.derived.find((one) => one.key === channel) ?? { name: { zh: channel, en: channel }, unit: "" }
  );
};

/**
 * What rules say, in the words of the language.
 * @param others devices beside its own that a rule looks at
 */
export function useRuleWords(
  kindId: DeviceKindId,
  others: readonly { id: string; name: string; kind: DeviceKindId }[] = [],
) {
  const t = useTranslate();
  const local = useLocalText();
  const join = useJoin();
  const { number } = useFormats();
  const dataName = useNames();
  const kind = deviceKinds[kindId];
  const nameOf = (key: string): string => local(declared(kind, key).name);
  const unitOf = (key: string): string => local(localUnit(declared(kind, key).unit));
  const amount = (value: number, unit: string): string =>
    `${number(value, Number.isInteger(value) ? 0 : 2)} ${unit}`.trim();
  const plus = (base: string, offset: number): string =>
    offset === 0
      ? base
      : `${base} ${offset > 0 ? "+" : "−"} ${number(Math.abs(offset), Number.isInteger(offset) ? 0 : 2)}`;
  const times = (base: string, factor: number): string => (factor === 1 ? base : `${base} × ${number(factor, 2)}`);
  const value = (key: string, of: number | boolean | string, at: DeviceKind = kind): string => {
    if (typeof of === "number") return amount(of, local(localUnit(declared(at, key).unit, of)));
    if (typeof of === "boolean") return t(of ? "开" : "关");
    const word = at.channels.find((one) => one.key === key)?.words?.find((one) => one.value === of);
    return word ? local(word.name) : of;
  };
  /** A limit as one of several: what is itself a choice of several stands in brackets. */
  const limitAmong = (key: string, of: Limit): string =>
    of.from === "lowest" || of.from === "highest" ? `(${limit(key, of)})` : limit(key, of);
  const limit = (key: string, of: Limit): string => {
    switch (of.from) {
      case "constant":
        return value(key, of.value);
      case "setPoint":
        return plus(nameOf(of.key), of.offset);
      case "value":
        return plus(times(nameOf(of.key), of.factor), of.offset);
      case "pigsty":
        return plus(t("猪舍类型的界限"), of.offset);
      case "parameter": {
        const parameter = kind.parameters.find((one) => one.key === of.key);
        return plus(times(parameter ? local(parameter.name) : of.key, of.factor), of.offset);
      }
      case "lowest":
        return t("其中较低：{of}", { of: join(of.of.map((part) => limitAmong(key, part))) });
      case "highest":
        return t("其中较高：{of}", { of: join(of.of.map((part) => limitAmong(key, part))) });
    }
  };
  const seconds = (of: number): string => {
    if (of % 86_400 === 0) return t("{count} 天", { count: of / 86_400 });
    if (of % 3600 === 0) return t("{count} 小时", { count: of / 3600 });
    if (of % 60 === 0) return t("{count} 分钟", { count: of / 60 });
    return t("{count} 秒", { count: of });
  };
  /** Channels of a rule, of many the first. */
  const namesOf = (keys: readonly string[]): string =>
    keys.length > mostNamed
      ? t("{what} 等", { what: join(keys.slice(0, mostNamed).map(nameOf)) })
      : join(keys.map(nameOf));
  const condition = (of: Condition): string => {
    switch (of.type) {
      case "compare":
        return `${nameOf(of.key)} ${comparisonSigns[of.op]} ${limit(of.key, of.limit)}`;
      case "all":
        return of.of.map(condition).join(t("，且 "));
      case "any":
        return of.of.map(condition).join(t("，或 "));
      case "during":
        return t("{from} 到 {to} 之间", { from: of.from, to: of.to });
      case "event": {
        const event = kind.events.find(({ type }) => type === of.event);
        return t("发生“{event}”", { event: event ? local(event.name) : of.event });
      }
      case "detector":
        if (of.detector === "silence") {
          const { after_s } = of.parameters;
          return of.over.length === 0
            ? t("{time}没有消息", { time: seconds(after_s) })
            : t("{time}没有{what}", { time: seconds(after_s), what: join(of.over.map(nameOf)) });
        }
        if (of.detector === "unknown") {
          const known = Math.min(...of.over.map((key) => knownForMs(kind, key)));
          return t("{time}没有读数：{what}", { time: seconds(known / 1000), what: namesOf(of.over) });
        }
        if (of.detector === "stuck")
          return t("{time}里几乎不变：{what}", { time: seconds(of.parameters.window_s), what: namesOf(of.over) });
        return t("按历史判断：{what}", {
          what: join(
            of.over.slice(0, 4).map((key) => {
              const event = kind.events.find(({ type }) => type === key);
              return event ? local(event.name) : nameOf(key);
            }),
          ),
        });
    }
  };
  /** Name of a number that may be changed. */
  const threshold = ({ id, of, op }: RuleThreshold): string => {
    if (op === "parameter") {
      const key = id.split(".")[1] ?? "";
      return t(parameterNames[key] ?? key);
    }
    const from = id.split(".")[2];
    const sign = comparisonSigns[op];
    if (from === "factor") return `${nameOf(of)} ${sign} ${t("几倍")}`;
    if (from === "setPoint" || from === "value" || from === "parameter")
      return `${nameOf(of)} ${sign} ${t("设定值加")}`;
    if (from === "pigsty") return `${nameOf(of)} ${sign} ${t("猪舍界限加")}`;
    return `${nameOf(of)} ${sign}`;
  };
  const part = (of: OwnRulePart): string => {
    if (of.type === "during") return t("{from} 到 {to} 之间", { from: of.from, to: of.to });
    const other = others.find(({ id }) => id === of.deviceId);
    const at = other ? deviceKinds[other.kind] : kind;
    const own = local(declared(at, of.key).name);
    const name =
      of.deviceId === undefined
        ? own
        : t("{device}的{what}", { device: other ? dataName(other.name) : t("已不在的设备"), what: own });
    switch (of.type) {
      case "compare":
        return `${name} ${comparisonSigns[of.op]} ${value(of.key, of.value, at)}`;
      case "change":
        return t("{name} {time}内变化 {sign} {value}", {
          name,
          time: seconds(of.windowS),
          sign: comparisonSigns[of.op],
          value: value(of.key, of.value, at),
        });
      case "absent":
        return t("{time}没有{what}", { time: seconds(of.afterS), what: name });
    }
  };
  return { condition, threshold, part, seconds, nameOf, unitOf };
}
