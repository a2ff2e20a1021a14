import { alarmCounts, alarmPath, alarmSeverityNames } from "@herdwise/contract";
import { Link } from "react-router";
import { screens } from "../../screens.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./alarm-counts.module.css";
import { severityMarks, severityOrder } from "./alarm-marks.ts";

/** How many alarms are open, on the console. Nothing for who has no alarm centre. */
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
        </>
      )}
    </section>
  );
}
