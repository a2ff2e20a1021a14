import type { Readings } from "@herdwise/contract";
import { type Channel, type DeviceKind, isKnownIn, type JudgedDevice, localUnit } from "@herdwise/device-kinds";
import type { ReactNode } from "react";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { useRangeWords, verdictAttributes } from "../kind/verdict-mark.tsx";

interface Group {
  id: string;
  name: string;
  rows: { key: string; name: string; text: string; range: string; atMs: number | undefined }[];
}

function useValueText(): (value: unknown, channel: Channel | undefined) => string {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  return (value, channel) => {
    if (typeof value === "boolean") return value ? t("是") : t("否");
    if (typeof value === "number") {
      const decimals = channel?.decimals ?? (Number.isInteger(value) ? 0 : 2);
      return channel?.unit
        ? `${number(value, decimals)} ${localUnit(channel.unit)[language]}`
        : number(value, decimals);
    }
    if (typeof value === "string") return channel?.words?.find((word) => word.value === value)?.name[language] ?? value;
    return JSON.stringify(value);
  };
}

interface ValuesProps {
  kind: DeviceKind;
  readings: Readings;
  /** The device as it is judged: then all is shown that it could tell, with the ranges of the verdicts. */
  judged?: JudgedDevice;
  /** Values that the page shows above. */
  shownAbove?: readonly string[];
}

/** The values of a section; where all are shown, they are folded. */
function ValueGroup({
  name,
  folded,
  count,
  children,
}: {
  name: string;
  folded: boolean;
  count: number;
  children: ReactNode;
}) {
  if (!folded)
    return (
      <section className="vals-group" aria-label={name}>
        <h3>{name}</h3>
        {children}
      </section>
    );
  return (
    <details className="vals-group" name="values">
      <summary>
        {name} <span className="mut num">{count}</span>
      </summary>
      {children}
    </details>
  );
}

/** Newest values by the sections of the device's kind; keys that the kind does not know come last, as "other". */
export function DeviceValues({ kind, readings, judged, shownAbove = [] }: ValuesProps) {
  const t = useTranslate();
  const language = useLanguage();
  const text = useValueText();
  const { number } = useFormats();
  const rangeWords = useRangeWords();
  /** What a value was compared with, else what its sensor can tell at all. */
  const rangeOf = ({ key, valid, decimals, unit, words }: Channel): string => {
    if (words) return words.map(({ name }) => name[language]).join(" / ");
    const inUnit = (range: string): string => `${range} ${localUnit(unit)[language]}`.trim();
    const compared = judged && rangeWords(judged.verdictOf(key));
    if (compared) return inUnit(compared);
    if (!valid) return "";
    const span = valid.map((end) => number(end, Number.isInteger(end) ? 0 : decimals)).join(" – ");
    return t("量程 {range}", { range: inUnit(span) });
  };
  const { channels } = kind;
  const left = new Set(Object.keys(readings));
  const groups: Group[] = [];
  for (const channel of channels) {
    const reading = readings[channel.key];
    if (!reading && !judged) continue;
    left.delete(channel.key);
    if (shownAbove.includes(channel.key)) continue;
    let group = groups.find(({ id }) => id === channel.section.id);
    if (!group) {
      group = { id: channel.section.id, name: channel.section[language], rows: [] };
      groups.push(group);
    }
    group.rows.push({
      key: channel.key,
      name: channel.name[language],
      text: !reading ? "--" : isKnownIn(kind, readings, channel.key) ? text(reading.value, channel) : t("未知"),
      range: rangeOf(channel),
      atMs: reading?.ts,
    });
  }
  const other = [...left].flatMap((key) => {
    const reading = readings[key];
    return reading ? [{ key, name: key, text: text(reading.value, undefined), range: "", atMs: reading.ts }] : [];
  });
  if (other.length > 0) groups.push({ id: "other", name: t("其他"), rows: other });
  if (groups.length === 0) return <ExceptionView type="empty" text={t("这台设备还没有上报过数值。")} />;
  return groups.map(({ id, name, rows }) => (
    <ValueGroup key={id} name={name} folded={judged !== undefined} count={rows.length}>
      <dl>
        {rows.map((row) => (
          <div key={row.key} data-channel={row.key} {...(judged && verdictAttributes(judged.verdictOf(row.key)))}>
            <dt>
              {row.name}
              {row.range && (
                <small className="mut">
                  <WholeValues text={row.range} />
                </small>
              )}
            </dt>
            <dd className="num">
              <WholeValues text={row.text} />
            </dd>
            <dd>{row.atMs === undefined ? <span className="mut">{t("未上报")}</span> : <Age atMs={row.atMs} />}</dd>
          </div>
        ))}
      </dl>
    </ValueGroup>
  ));
}
