import { type Alarm, alarmDetail, alarmPath, alarmSeverityNames } from "@herdwise/contract";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { severityMarks, severityOrder } from "./alarm-marks.ts";
import { AlarmActions, AlarmFacts, AlarmSteps } from "./alarm-panel.tsx";
import { AlarmPlace, AlarmValue, useAlarmTimes } from "./alarm-row.tsx";
import { ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";
import { useAlarms } from "./use-alarms.ts";

/** The worst that is open: first what stands for itself, then by severity and age. */
function worstOf(alarms: readonly Alarm[]): Alarm | undefined {
  const ids = new Set(alarms.map(({ id }) => id));
  return alarms
    .filter(({ causeId }) => !ids.has(causeId))
    .toSorted(
      (a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) || a.raisedMs - b.raisedMs,
    )[0];
}

/**
 * What is wrong with a unit, a device or the devices of a kind, why, and what to do: above everything else of its page. Nothing where
 * nothing is open.
 */
export function AlarmBanner({ unitId, deviceId, kind }: { unitId?: string; deviceId?: string; kind?: Alarm["kind"] }) {
  const t = useTranslate();
  const local = useLocalText();
  const { duration, clock } = useAlarmTimes();
  const now = useNow();
  const { alarms = [], reload } = useAlarms({
    ...(unitId && { unitId }),
    ...(deviceId && { deviceId }),
    ...(kind && { kind }),
  });
  const worst = worstOf(alarms);
  const loaded = useLoad(
    worst && `alarm ${worst.id} ${worst.acknowledgedMs} ${worst.assignedTo} ${alarms.length}`,
    (signal) => call(alarmDetail, { query: { id: worst?.id ?? "" }, signal, quiet: true }),
  );
  if (!worst) return null;
  const mark = severityMarks[worst.severity];
  const others = alarms.length - 1;
  return (
    <section className={styles.banner} data-severity={worst.severity} aria-label={t("告警")}>
      <div>
        <p className={styles.head}>
          <span className={`state ${mark}`}>
            <Mark name={mark} />
            {t(alarmSeverityNames[worst.severity])}
          </span>
          <span className="tag">{worst.acknowledgedMs === undefined ? t("未确认") : t("已确认")}</span>
          <span className="num">
            {t("{time} 起，已 {duration}", { time: clock(worst.raisedMs), duration: duration(now - worst.raisedMs) })}
          </span>
        </p>
        <h2>
          <Link to={`${alarmPath}?id=${worst.id}`}>{local(worst.sentence)}</Link>
        </h2>
        {kind && <AlarmPlace alarm={worst} />}
        <AlarmValue alarm={worst} />
        {loaded.value && <AlarmFacts alarm={loaded.value} />}
        {loaded.value && (
          <AlarmActions
            alarm={loaded.value}
            onChanged={() => {
              loaded.reload();
              reload();
            }}
          />
        )}
      </div>
      {loaded.value && <AlarmSteps alarm={loaded.value} />}
      {others > 0 && (
        <p className={styles.others}>
          <Link className="link" to={alarmPath}>
            {t("还有 {count} 条", { count: others })}
          </Link>
          {alarms
            .filter(({ id }) => id !== worst.id)
            .slice(0, 4)
            .map((alarm) => (
              <span key={alarm.id} className={`state ${severityMarks[alarm.severity]}`}>
                <Mark name={severityMarks[alarm.severity]} />
                {local(ruleNameOf(alarm))}
              </span>
            ))}
        </p>
      )}
    </section>
  );
}
