import { alarmAcknowledge, alarmHandleCode, alarmPath, alarmSeverityNames, type WorstAlarm } from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { shortName } from "../farms/short-name.ts";
import styles from "./alarm-counts.module.css";
import { severityOrder } from "./alarm-marks.ts";
import { KnownMark } from "./known-mark.tsx";
import { useAlarmCounts } from "./use-alarm-counts.ts";

/** Farm, house and unit or device, each without the names that already stand before it. */
function Place({ alarm }: { alarm: WorstAlarm }) {
  const nameOf = useNames();
  const { farmName, houseName, unitName, deviceName } = alarm;
  const names = [farmName, houseName, unitName === "" ? deviceName : unitName].filter((name) => name !== "");
  const inWords = names.map(nameOf);
  return names.map((name, at) => {
    const whole = inWords[at] ?? name;
    const short = shortName(whole, inWords.slice(0, at));
    return (
      <span key={name}>
        {at > 0 && " / "}
        {short === whole ? <Translated text={name} /> : short}
      </span>
    );
  });
}

interface WorstProps {
  alarm: WorstAlarm;
  withStep: boolean;
  /** Left out for who may not handle alarms. */
  onTake?: () => Promise<void>;
}

/** What an alarm is, since when, and where. @param mark between its severity and its sentence */
function Told({ alarm, mark }: { alarm: WorstAlarm; mark?: ReactNode }) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const { id, severity, sentence, raisedMs } = alarm;
  return (
    <>
      <span className={styles.head}>
        <span className={`state ${severityMarks[severity]}`}>
          <Mark name={severityMarks[severity]} />
          {t(alarmSeverityNames[severity])}
        </span>
        <small className="mut num">{t("{time} 起", { time: dayTime(raisedMs) })}</small>
      </span>
      {mark}
      <b id={`worst-${id}`}>{sentence[language]}</b>
      <small className="mut">
        <Place alarm={alarm} />
      </small>
    </>
  );
}

/** One of the worst alarms: what, where, since when and why; of the first also what to do. Its words lead to all of it. */
function Worst({ alarm, withStep, onTake }: WorstProps) {
  const t = useTranslate();
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const { id, cause, firstStep, known, follows } = alarm;
  const asks = asksNow({ state: "open", known }, now);
  return (
    <li>
      <Link to={`${alarmPath}?id=${id}`}>
        <Told alarm={alarm} mark={known && !asks && <KnownMark known={known} />} />
        {follows ? (
          <small>{t("由“{cause}”引起，处理好它这条也恢复。", { cause: follows[language] })}</small>
        ) : (
          cause && <small>{cause[language]}</small>
        )}
        {withStep && firstStep && (
          <small className={styles.step}>{t("先做：{step}", { step: firstStep[language] })}</small>
        )}
      </Link>
      {onTake && asks && (
        <button
          type="button"
          className={withStep ? "btn primary" : "btn"}
          disabled={busy}
          id={`take-${id}`}
          aria-labelledby={`take-${id} worst-${id}`}
          onClick={() => {
            setBusy(true);
            // A refusal shows as a toast.
            void onTake()
              .catch(() => undefined)
              .finally(() => setBusy(false));
          }}
        >
          {t("我来处理")}
        </button>
      )}
    </li>
  );
}

/**
 * What is wrong most and how many alarms are open, on the console. Nothing for who has no alarm centre.
 * @param bad units whose values are bad now; without an alarm they have not been so for long enough
 */
export function AlarmCountsCard({ bad }: { bad: number }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { permissions } = useAccess();
  const { granted, data: value, error, refetch } = useAlarmCounts();
  if (!granted) return null;
  const take = async (id: string): Promise<void> => {
    await call(alarmAcknowledge, { body: { ids: id } });
    await refetch();
  };
  // An alarm that is worse than all without a cause ends with its own, and is named all the same.
  const worst = value ? [...(value.worse ? [value.worse] : []), ...value.worst] : [];
  const open = value ? severityOrder.reduce((sum, severity) => sum + value[severity], 0) : 0;
  return (
    <section className="card" aria-labelledby="alarm-counts">
      <header>
        <h2 id="alarm-counts">{t("未恢复的告警")}</h2>
        <span className="spacer" />
        <Link className="link" to={alarmPath}>
          {t("告警中心")}
        </Link>
      </header>
      {error && !value ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("告警")} />
      ) : (
        <>
          <ul className={styles.counts}>
            {severityOrder.map((severity) => (
              <li key={severity}>
                <span className={`state ${severityMarks[severity]}`}>
                  <Mark name={severityMarks[severity]} />
                  {t(alarmSeverityNames[severity])}
                </span>
                <b className="num">{value ? number(value[severity]) : "--"}</b>
              </li>
            ))}
          </ul>
          {value && value.unacknowledged > 0 && (
            <p className={styles.note}>{t("{count} 条在提醒", { count: number(value.unacknowledged) })}</p>
          )}
          {value && open === 0 && bad > 0 && (
            <p className={styles.note}>{t("{count} 个单元的数值不好，还没有到告警的时间", { count: bad })}</p>
          )}
          {value && open > 0 && (
            <p className={styles.hint}>{t("这里是已经发出的告警；“需要关注”按此刻的数值算，两边可以不同。")}</p>
          )}
          {worst.length > 0 && (
            <ul className={styles.worst} aria-label={t("最严重的告警")}>
              {worst.map((alarm, at) => (
                <Worst
                  key={alarm.id}
                  alarm={alarm}
                  withStep={at === 0}
                  {...(permissions.has(alarmHandleCode) && { onTake: () => take(alarm.id) })}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
