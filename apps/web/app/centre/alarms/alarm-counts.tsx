import { alarmCounts, alarmPath, alarmSeverityNames, type WorstAlarm } from "@herdwise/contract";
import { Link } from "react-router";
import { screens } from "../../screens.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { shortName } from "../farms/short-name.ts";
import styles from "./alarm-counts.module.css";
import { severityMarks, severityOrder } from "./alarm-marks.ts";

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

/** One of the worst alarms: what, where, since when and why; of the first also what to do. Its words lead to all of it. */
function Worst({ alarm, withStep }: { alarm: WorstAlarm; withStep: boolean }) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const { id, severity, sentence, cause, firstStep, raisedMs, acknowledged } = alarm;
  return (
    <li>
      <Link to={`${alarmPath}?id=${id}`}>
        <span className={styles.head}>
          <span className={`state ${severityMarks[severity]}`}>
            <Mark name={severityMarks[severity]} />
            {t(alarmSeverityNames[severity])}
          </span>
          <small className="mut num">
            {acknowledged && `${t("已确认")}　`}
            {t("{time} 起", { time: dayTime(raisedMs) })}
          </small>
        </span>
        <b>{sentence[language]}</b>
        <small className="mut">
          <Place alarm={alarm} />
        </small>
        {cause && <small>{cause[language]}</small>}
        {withStep && firstStep && (
          <small className={styles.step}>{t("先做：{step}", { step: firstStep[language] })}</small>
        )}
      </Link>
    </li>
  );
}

/** What is wrong most and how many alarms are open, on the console. Nothing for who has no alarm centre. */
export function AlarmCountsCard() {
  const t = useTranslate();
  const { number } = useFormats();
  const { menu } = useAccess();
  const screen = screens.find(({ menuCode }) => menuCode === "alarm");
  const granted = screen !== undefined && nodeOfScreen(menu, screen) !== undefined;
  const { value, error, reload } = useLoad(granted ? "alarm counts" : undefined, (signal) =>
    call(alarmCounts, { signal, quiet: true }),
  );
  if (!granted) return null;
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
        <LoadingProblem error={error} onRetry={reload} what={t("告警")} />
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
            <p className={styles.note}>{t("{count} 条无人接手", { count: number(value.unacknowledged) })}</p>
          )}
          {value && value.worst.length > 0 && (
            <ul className={styles.worst} aria-label={t("最严重的告警")}>
              {value.worst.map((alarm, at) => (
                <Worst key={alarm.id} alarm={alarm} withStep={at === 0} />
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
