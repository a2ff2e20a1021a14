import type { DeviceKindId, OwnAlarmRuleVersion } from "@herdwise/contract";
import { type Comparison, deviceKinds, type OwnRulePart, ownRuleValues } from "@herdwise/device-kinds";
import { useId } from "react";
import { Problem } from "../../shared/forms/problem.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { IconButton } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { comparisonSigns, useRuleWords } from "./rule-words.ts";
import styles from "./rules.module.css";

/** A device beside the one that a rule holds at. */
export type OtherDevice = OwnAlarmRuleVersion["others"][number];

const partNames: Readonly<Record<OwnRulePart["type"], string>> = {
  compare: "数值",
  change: "变化",
  absent: "没有数据",
  during: "时段",
};
const partTypes = Object.keys(partNames) as OwnRulePart["type"][];

/** A condition to begin with: the first number of a kind. */
export const firstPart = (kind: DeviceKindId): Extract<OwnRulePart, { type: "compare" }> => {
  const value = ownRuleValues(deviceKinds[kind]).find(({ type }) => type === "number");
  return { type: "compare", key: value?.key ?? "", op: "gt", value: value?.valid?.[1] ?? 0 };
};
/** One condition: what is looked at, and how. */
export function RulePart({
  kind: ownKind,
  part,
  at,
  others,
  problem,
  onChange,
  onRemove,
}: {
  /** Of the device that the rule holds at. */
  kind: DeviceKindId;
  part: OwnRulePart;
  at: number;
  /** Devices of the same unit that it may look at as well. */
  others: readonly OtherDevice[];
  /** In the chosen language. */
  problem: string | undefined;
  onChange: (part: OwnRulePart) => void;
  onRemove: (() => void) | undefined;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const id = useId();
  const deviceId = part.type === "during" ? undefined : part.deviceId;
  const kind = others.find((other) => other.id === deviceId)?.kind ?? ownKind;
  const { unitOf } = useRuleWords(kind);
  const values = ownRuleValues(deviceKinds[kind]);
  const channels = new Set(deviceKinds[kind].channels.map(({ key }) => key));
  const allowed = values.filter(({ key, type }) =>
    part.type === "compare" ? true : channels.has(key) && (part.type === "absent" || type === "number"),
  );
  const value = part.type === "during" ? undefined : values.find(({ key }) => key === part.key);
  const label = (what: string): string => t("条件 {number}：{what}", { number: at + 1, what: t(what) });
  const retype = (type: OwnRulePart["type"]): void => {
    const first = firstPart(kind);
    const key = first.type === "compare" ? first.key : "";
    const of = deviceId === undefined ? {} : { deviceId };
    if (type === "compare") onChange({ ...first, ...of });
    else if (type === "change") onChange({ type, ...of, key, windowS: 600, op: "gt", value: 1 });
    else if (type === "absent") onChange({ type, ...of, key, afterS: 1800 });
    else onChange({ type, from: "22:00", to: "06:00" });
  };
  const redevice = (next: string): void => {
    const other = others.find((one) => one.id === next);
    onChange({ ...firstPart(other?.kind ?? ownKind), ...(other && { deviceId: other.id }) });
  };
  const rekey = (key: string): void => {
    const next = values.find((one) => one.key === key);
    if (part.type === "during" || next === undefined) return;
    if (part.type !== "compare") onChange({ ...part, key });
    else if (next.type === "number") onChange({ ...part, key, value: typeof part.value === "number" ? part.value : 0 });
    else onChange({ ...part, key, op: "eq", value: next.type === "boolean" ? false : (next.words?.[0]?.value ?? "") });
  };
  const number = (of: number, change: (to: number) => void, what: string, unit: string) => (
    <span className={styles.amount}>
      <input
        className="input num"
        type="number"
        step="any"
        aria-label={label(what)}
        value={Number.isNaN(of) ? "" : of}
        onChange={({ target }) => change(target.value === "" ? Number.NaN : Number(target.value))}
      />
      <span>{unit}</span>
    </span>
  );
  return (
    <li className={styles.part} aria-invalid={problem !== undefined} aria-describedby={`${id}-problem`}>
      <Select
        aria-label={label("种类")}
        value={part.type}
        options={partTypes.map((type) => [type, partNames[type]] as const)}
        onChange={retype}
      />
      {part.type !== "during" && (others.length > 0 || deviceId !== undefined) && (
        <Select
          aria-label={label("哪台设备")}
          value={deviceId ?? ""}
          options={[
            ["", "本设备"],
            ...others.map((other) => [other.id, other.name] as const),
            ...(deviceId === undefined || others.some((other) => other.id === deviceId)
              ? []
              : [[deviceId, "不在这个单元的设备"] as const]),
          ]}
          onChange={redevice}
        />
      )}
      {part.type === "during" ? (
        <span className={styles.amount}>
          <input
            className="input"
            type="time"
            aria-label={label("从")}
            value={part.from}
            onChange={({ target }) => onChange({ ...part, from: target.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            className="input"
            type="time"
            aria-label={label("到")}
            value={part.to}
            onChange={({ target }) => onChange({ ...part, to: target.value })}
          />
        </span>
      ) : (
        <Select
          aria-label={label("测量值")}
          value={part.key}
          options={allowed.map(({ key, name }) => [key, local(name)] as const)}
          onChange={rekey}
        />
      )}
      {part.type === "change" &&
        number(part.windowS / 60, (to) => onChange({ ...part, windowS: Math.round(to * 60) }), "多长时间", t("分钟内"))}
      {(part.type === "compare" || part.type === "change") && (
        <Select
          aria-label={label("怎样比较")}
          value={part.op}
          options={(Object.keys(comparisonSigns) as Comparison[])
            .filter((op) =>
              part.type === "change"
                ? op === "gt" || op === "lt"
                : value?.type === "number" || op === "eq" || op === "ne",
            )
            .map((op) => [op, comparisonSigns[op]] as const)}
          onChange={(op) => onChange({ ...part, op } as OwnRulePart)}
        />
      )}
      {part.type === "change" &&
        number(part.value, (to) => onChange({ ...part, value: to }), "变化量", unitOf(part.key))}
      {part.type === "compare" &&
        (value?.type === "boolean" ? (
          <Select
            aria-label={label("值")}
            value={String(part.value)}
            options={[
              ["true", "开"],
              ["false", "关"],
            ]}
            onChange={(chosen) => onChange({ ...part, value: chosen === "true" })}
          />
        ) : value?.type === "text" ? (
          value.words ? (
            <Select
              aria-label={label("值")}
              value={String(part.value)}
              options={value.words.map((word) => [word.value, local(word.name)] as const)}
              onChange={(chosen) => onChange({ ...part, value: chosen })}
            />
          ) : (
            <input
              className="input"
              aria-label={label("值")}
              value={String(part.value)}
              onChange={({ target }) => onChange({ ...part, value: target.value })}
            />
          )
        ) : (
          number(
            typeof part.value === "number" ? part.value : 0,
            (to) => onChange({ ...part, value: to }),
            "值",
            unitOf(part.key),
          )
        ))}
      {part.type === "absent" &&
        number(part.afterS / 60, (to) => onChange({ ...part, afterS: Math.round(to * 60) }), "多长时间", t("分钟"))}
      {onRemove && (
        <IconButton icon="close" small label={t("去掉条件 {number}", { number: at + 1 })} onPress={onRemove} />
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </li>
  );
}
