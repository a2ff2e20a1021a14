import { type DeviceEventRecord, deviceEventPage } from "@herdwise/contract";
import { shanghaiDay, shanghaiMs } from "@herdwise/contract/shanghai";
import { type EventField, faultOf, type KindPart, localUnit } from "@herdwise/device-kinds";
import { useId, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import { StateMark } from "./state-mark.tsx";

type RecordsPart = Extract<KindPart, { type: "records" }>;

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const hours = 24;
/** Most records of one question; more than any device sends of such a type in a day. */
const mostRecords = 500;
const shownRows = 8;

const decimalsOf = (value: number): number => (Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1);

/** A value of a record in words; a number with the decimals that it needs, or those of its column. */
export function useValueText(): (field: EventField, value: unknown, decimals?: number) => string {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const { number, dayTime } = useFormats();
  return (field, value, decimals) => {
    if (value === undefined || value === null || value === "") return "--";
    const word = field.words?.find((candidate) => candidate.value === value);
    if (word) return local(word.name);
    if (field.time && typeof value === "string") {
      const ms = Date.parse(value);
      // What ends with a day is told by its day.
      return (ms + shanghaiMs) % dayMs === 0 ? shanghaiDay(ms) : dayTime(ms);
    }
    if (typeof value === "number") return number(value, decimals ?? decimalsOf(value));
    if (typeof value === "boolean") return t(value ? "是" : "否");
    // Names that the farm gave, as of recipes; what marks a person is nobody's to translate.
    return field.personal ? String(value) : nameOf(String(value));
  };
}

/** Weights of lorries are told in whole grams and read in kilograms. */
const readable = (field: EventField): EventField => (field.unit === "g" ? { ...field, unit: "kg" } : field);
const inReadable = (field: EventField, value: unknown): unknown =>
  field.unit === "g" && typeof value === "number" ? value / 1000 : value;

/** Begin of the hours that are drawn. */
const firstHourMs = (endMs: number): number => (Math.floor(endMs / hourMs) - hours + 1) * hourMs;

interface HoursProps {
  part: RecordsPart;
  records: readonly DeviceEventRecord[];
  endMs: number;
  /** Whether those alone are listed that are not good. */
  isBadOnly: boolean;
  onBadOnly: (isBadOnly: boolean) => void;
}

/** Records of each hour of the last day as bars, those that are not good in their own colour. */
function Hours({ part, records, endMs, isBadOnly, onBadOnly }: HoursProps) {
  const { time } = useFormats();
  const t = useTranslate();
  const firstMs = firstHourMs(endMs);
  const counts = Array.from({ length: hours }, (_, at) => {
    const inHour = records.filter(({ ts }) => Math.floor((ts - firstMs) / hourMs) === at);
    return { all: inHour.length, bad: inHour.filter((record) => faultOf(part, record) !== undefined).length };
  });
  const most = Math.max(1, ...counts.map(({ all }) => all));
  const total = counts.reduce((all, hour) => all + hour.all, 0);
  const bad = counts.reduce((all, hour) => all + hour.bad, 0);
  const judged = part.good || part.within || part.least;
  // Bars of nothing are no picture: when the newest came stands in the table.
  if (total === 0) return <p className={styles.counts}>{t("24 小时内没有，下面是更早的")}</p>;
  return (
    <>
      <p className={styles.counts}>
        {t("24 小时内 {count} 条", { count: total })}
        {judged && total > 0 && bad === 0 && <StateMark state="ok">{t("全部合格")}</StateMark>}
        {bad > 0 && (
          <button type="button" className="chip" aria-pressed={isBadOnly} onClick={() => onBadOnly(!isBadOnly)}>
            <StateMark state="minor">{t("{count} 条不合格", { count: bad })}</StateMark>
          </button>
        )}
      </p>
      <div className={styles.hours} aria-hidden="true">
        {counts.map(({ all, bad: badInHour }, at) => (
          <span key={firstMs + at * hourMs} title={`${time(firstMs + at * hourMs)}  ${all}`}>
            {badInHour > 0 && <i data-bad style={{ height: `${(badInHour / most) * 100}%` }} />}
            <i style={{ height: `${((all - badInHour) / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <p className={styles.axis} aria-hidden="true">
        <span>{time(firstMs)}</span>
        <span>{time(firstMs + 12 * hourMs)}</span>
        <span>{time(endMs)}</span>
      </p>
    </>
  );
}

/** Records of one type: how many there were in each hour, and the newest of them. @param of name of the device where several stand beside each other */
export function RecordsCard({ part, deviceId, of }: { part: RecordsPart; deviceId: string; of?: string | undefined }) {
  const t = useTranslate();
  const local = useLocalText();
  const text = useValueText();
  const { dayTime } = useFormats();
  const { kind } = useKind();
  const titleId = useId();
  const { value, error, reload } = useLoad(`records ${deviceId} ${part.event}`, async (signal) => {
    const query = { id: deviceId, type: part.event, current: 1, size: mostRecords };
    return { endMs: Date.now(), records: (await call(deviceEventPage, { query, signal, quiet: true })).records };
  });
  const declared = kind.events.find(({ type }) => type === part.event);
  const fields = part.columns.flatMap((column) => declared?.fields.find(({ key }) => key === column) ?? []);
  const judged = part.good || part.within || part.least;
  const [isBadOnly, setBadOnly] = useState(false);
  const bad = (value?.records ?? []).filter(
    (record) => record.ts >= firstHourMs(value?.endMs ?? 0) && faultOf(part, record) !== undefined,
  );
  const shown = isBadOnly ? bad : (value?.records.slice(0, shownRows) ?? []);
  const decimalsIn = (field: EventField): number =>
    Math.max(
      0,
      ...shown.map(({ fields: told }) => {
        const found = inReadable(field, told[field.key]);
        return typeof found === "number" ? decimalsOf(found) : 0;
      }),
    );
  const timeOf = ({ ts, fields: told }: DeviceEventRecord): number => {
    const endMs = part.endsAt === undefined ? Number.NaN : Date.parse(String(told[part.endsAt]));
    return Number.isNaN(endMs) ? ts : endMs;
  };
  /** A word says by itself what is wrong; a number needs its name. */
  const faultText = (field: EventField, found: unknown): string =>
    field.words
      ? text(field, found)
      : `${local(field.name)} ${text(field, found)} ${local(localUnit(field.unit, found))}`.trim();
  return (
    <section className="card" data-part aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>
          {local(part.title)}
          {of !== undefined && (
            <small className="mut">
              {" "}
              <Translated text={of} />
            </small>
          )}
        </h2>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={local(part.title)} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value?.records.length === 0 && <ExceptionView type="empty" text={t("设备还没有发来这类记录。")} />}
      {value && value.records.length > 0 && (
        <>
          <Hours part={part} records={value.records} endMs={value.endMs} isBadOnly={isBadOnly} onBadOnly={setBadOnly} />
          <ScrollTable label={t("{name}，表", { name: local(part.title) })} className={styles.records}>
            <thead>
              <tr>
                <th scope="col">{t(part.endsAt === undefined ? "时间" : "结束时间")}</th>
                {judged && <th scope="col">{t("结论")}</th>}
                {fields.map(readable).map(({ key, name, unit, type }) => (
                  <th key={key} scope="col" className={type === "number" ? "numeric" : ""}>
                    {`${local(name)} ${local(localUnit(unit))}`.trim()}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((record) => {
                const fault = faultOf(part, record);
                const about = declared?.fields.find(({ key }) => key === fault);
                return (
                  <tr key={record.eventId}>
                    <th scope="row">{dayTime(timeOf(record))}</th>
                    {judged && (
                      <td>
                        <StateMark state={fault === undefined ? "ok" : "minor"}>
                          {fault === undefined ? t("合格") : about ? faultText(about, record.fields[about.key]) : fault}
                        </StateMark>
                      </td>
                    )}
                    {fields.map((field) => (
                      <td
                        key={field.key}
                        className={field.type === "number" ? "numeric" : ""}
                        data-name={local(field.name)}
                        data-unit={local(localUnit(readable(field).unit))}
                      >
                        {text(field, inReadable(field, record.fields[field.key]), decimalsIn(field))}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </ScrollTable>
        </>
      )}
    </section>
  );
}
