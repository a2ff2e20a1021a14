import type { Alarm } from "@herdwise/contract";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useLocalText } from "../kind/kind-view.ts";
import styles from "./report.module.css";
import { useSpanText } from "./use-span-text.ts";

/** The alarms of a report: what was wrong, since when, and who answered it. */
export function ReportAlarms({ alarms }: { alarms: readonly Alarm[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { dayTime } = useFormats();
  const span = useSpanText();
  if (alarms.length === 0) return null;
  return (
    <>
      <h3>{t("哪里不对，从什么时候起")}</h3>
      <ul className={styles.wrong}>
        {alarms.map((alarm) => (
          <li key={alarm.id} data-severity={alarm.severity}>
            <span className={`state ${severityMarks[alarm.severity]}`}>
              <Mark name={severityMarks[alarm.severity]} />
            </span>
            <span>
              <b>{local(alarm.sentence)}</b>
              {`　${[alarm.houseName, alarm.unitName, alarm.deviceName].filter(Boolean).map(nameOf).join(" · ")}`}
              <small>
                {alarm.endedMs === undefined
                  ? t("{time} 起，还没有恢复。", { time: dayTime(alarm.sinceMs) })
                  : t("{time} 起，持续 {span}。", {
                      time: dayTime(alarm.sinceMs),
                      span: span((alarm.endedMs - alarm.sinceMs) / 1000),
                    })}
                {alarm.acknowledgedMs === undefined
                  ? ` ${t("没有人确认")}`
                  : ` ${t("{name} 用 {span} 确认", {
                      name: nameOf(alarm.acknowledgedBy),
                      span: span((alarm.acknowledgedMs - alarm.raisedMs) / 1000),
                    })}`}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
