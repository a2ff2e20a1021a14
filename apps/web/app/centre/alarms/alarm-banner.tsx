import { type Alarm, alarmDetail, alarmPath, alarmSeverityNames } from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { type UnitState, unitStates } from "@herdwise/contract/unit-states";
import type { JudgedDevice } from "@herdwise/device-kinds";
import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { useMedia } from "../../shared/kit/use-media.ts";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { WorstState } from "../kind/worst-state.tsx";
import { groupsOf } from "./alarm-groups.ts";
import { severityOrder } from "./alarm-marks.ts";
import { AlarmActions, AlarmFacts, AlarmSteps } from "./alarm-panel.tsx";
import { AlarmPlace, AlarmValue, useAlarmTimes } from "./alarm-row.tsx";
import { fought, guideOf, ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";
import { KnownMark } from "./known-mark.tsx";
import { useAlarms } from "./use-alarms.ts";

/**
 * What is wrong with a unit, a device or the devices of a kind, why, and what to do: above everything else of its page. Nothing where
 * nothing is open and nothing that was told is wrong.
 */
export function AlarmBanner({
  unitId,
  deviceId,
  kind,
  judged,
  place,
  onTold,
}: {
  unitId?: string;
  deviceId?: string;
  kind?: Alarm["kind"];
  /** What the newest values say: told here where no open alarm is as bad. */
  judged?: JudgedDevice | undefined;
  /** Where that is, on a page of several devices. */
  place?: ReactNode;
  /** Called with the alarm that is told first of each device, by the id of the device. */
  onTold?: (told: ReadonlyMap<string, Pick<Alarm, "ruleId" | "ruleName">>) => void;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const { duration, clock } = useAlarmTimes();
  const now = useNow();
  const isNarrow = useMedia("(max-width: 720px)");
  const { alarms = [], reload } = useAlarms({
    ...(unitId && { unitId }),
    ...(deviceId && { deviceId }),
    ...(kind && { kind }),
  });
  const groups = groupsOf(alarms, now);
  const [{ lead: worst, cause } = { lead: undefined, cause: undefined }] = groups;
  // The first of a device comes last, so that a map keeps it.
  const told = JSON.stringify(
    groups
      .flatMap((group) => [group.lead, ...(group.cause ? [group.cause] : []), ...group.others])
      .map(({ deviceId: of, ruleId, ruleName }) => [of, { ruleId, ruleName }])
      .toReversed(),
  );
  useEffect(
    () => onTold?.(new Map(JSON.parse(told) as [string, Pick<Alarm, "ruleId" | "ruleName">][])),
    [told, onTold],
  );
  const loaded = useLoad(
    worst && `alarm ${worst.id} ${worst.known?.untilMs} ${worst.assignedTo} ${alarms.length}`,
    (signal) => call(alarmDetail, { query: { id: worst?.id ?? "" }, signal, quiet: true }),
  );
  const isTold =
    judged &&
    worst &&
    unitStates.indexOf(judged.problems[0]?.state as UnitState) >= unitStates.indexOf(severityMarks[worst.severity]);
  const unheard = judged && !isTold && <WorstState judged={judged} place={place} />;
  if (!worst) return unheard || null;
  const mark = severityMarks[worst.severity];
  const asks = asksNow(worst, now);
  const others = alarms.length - 1;
  const [first] = guideOf(fought(worst, cause))?.steps ?? [];
  const renew = (): void => {
    loaded.reload();
    reload();
  };
  return (
    <>
      {unheard}
      <section
        className={styles.banner}
        data-severity={worst.severity}
        data-known={!asks || undefined}
        aria-label={t("告警")}
      >
        <div>
          <p className={styles.head}>
            <span className={`state ${mark}`}>
              <Mark name={mark} />
              {t(alarmSeverityNames[worst.severity])}
            </span>
            {worst.known && !asks ? <KnownMark known={worst.known} /> : <span className="tag">{t("未确认")}</span>}
            <span className="num">
              {t("{time} 起，已 {duration}", { time: clock(worst.raisedMs), duration: duration(now - worst.raisedMs) })}
            </span>
          </p>
          <h2>
            <Link to={`${alarmPath}?id=${worst.id}`}>
              <WholeValues text={local(worst.sentence)} />
            </Link>
          </h2>
          {cause && (
            <p>
              {t("可能的起因")}{" "}
              <Link className={styles.cause} to={`${alarmPath}?id=${cause.id}`}>
                {local(ruleNameOf(cause))}
              </Link>
            </p>
          )}
          {kind && (
            <>
              <AlarmPlace alarm={worst} />
              <AlarmValue alarm={worst} />
            </>
          )}
          {loaded.value && !isNarrow && <AlarmFacts alarm={loaded.value} cause={cause} />}
          {isNarrow && asks && first && <p>{t("先做：{step}", { step: local(first) })}</p>}
        </div>
        {loaded.value && !isNarrow && <AlarmSteps alarm={loaded.value} cause={cause} onChanged={renew} />}
        {loaded.value && isNarrow && (
          <details className={styles.why}>
            <summary>{t("原因和接下来的步骤")}</summary>
            <AlarmFacts alarm={loaded.value} cause={cause} />
            <AlarmSteps alarm={loaded.value} cause={cause} onChanged={renew} />
          </details>
        )}
        {(loaded.value || others > 0) && (
          <div className={styles.foot}>
            {loaded.value && (
              <AlarmActions alarm={loaded.value} onChanged={renew} isLinked={kind !== undefined} isShort />
            )}
            {others > 0 && (
              <p className={styles.others}>
                <Link className="link" to={alarmPath}>
                  {t("还有 {count} 条告警", { count: others })}
                </Link>
                {severityOrder.map((severity) => {
                  const ofIt = alarms.filter((alarm) => alarm.severity === severity && alarm.id !== worst.id);
                  if (ofIt.length === 0) return null;
                  return (
                    <span
                      key={severity}
                      className={`state ${severityMarks[severity]}`}
                      title={ofIt.map((alarm) => local(ruleNameOf(alarm))).join("\n")}
                    >
                      <Mark name={severityMarks[severity]} />
                      {ofIt.length} {t(alarmSeverityNames[severity])}
                    </span>
                  );
                })}
              </p>
            )}
          </div>
        )}
      </section>
    </>
  );
}
