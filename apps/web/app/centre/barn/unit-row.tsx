import { asksNow } from "@herdwise/contract/alarm-asking";
import { byWorst, type JudgedDevice, localUnit, problemName } from "@herdwise/device-kinds";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Age } from "../../shared/states/age.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { ruleNameOf } from "../alarms/alarm-words.ts";
import { KnownMark } from "../alarms/known-mark.tsx";
import { useLocalText } from "../kind/kind-view.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { VerdictMark, verdictAttributes } from "../kind/verdict-mark.tsx";
import { AlarmActions } from "./alarm-actions.tsx";
import styles from "./barn.module.css";
import { isUnheard, type UnitWithAlarms } from "./barn-order.ts";
import type { BarnAlarm } from "./kept.ts";
import type { Barn } from "./use-barn.ts";

/** How a unit stands: by its worst alarm, or by its values where these are worse or nothing alarms yet. */
function Standing({ judged, worst, others }: { judged: JudgedDevice; worst: BarnAlarm | undefined; others: number }) {
  const t = useTranslate();
  const local = useLocalText();
  const [problem] = judged.problems;
  if (worst && byWorst({ state: severityMarks[worst.severity], urgency: 0 }, { ...judged, urgency: 0 }) <= 0)
    return (
      <span className={`state ${severityMarks[worst.severity]}`}>
        <Mark name={severityMarks[worst.severity]} />
        {local(ruleNameOf(worst))}
        {others > 0 && ` +${others}`}
      </span>
    );
  if (isUnheard(judged) && judged.device.reportedAtMs !== undefined && judged.state !== "offline")
    return <StateMark state="silent">{t("过时")}</StateMark>;
  if (judged.state === "ok") return <StateMark state="ok">{t("没有告警")}</StateMark>;
  return <StateMark state={judged.state}>{problem?.state === judged.state && local(problemName(problem))}</StateMark>;
}

interface UnitRowProps {
  of: UnitWithAlarms;
  barn: Pick<Barn, "act" | "lostAtMs" | "queue">;
  mayHandle: boolean;
}

/** A unit with its temperature, how it stands, and what can be done about its alarms. */
export function UnitRow({ of: { houseName, judged, alarms }, barn, mayHandle }: UnitRowProps) {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const { number } = useFormats();
  const now = useNow();
  const [worst] = alarms;
  const temperature = judged.verdictOf("t_in");
  const place = `${nameOf(houseName)} ${nameOf(judged.unit.name)}`;
  return (
    <li>
      <div className={styles.unit}>
        <span>
          <b>{place}</b>
          <Standing judged={judged} worst={worst} others={alarms.length - 1} />
          {worst?.known && !asksNow(worst, now) && <KnownMark known={worst.known} />}
          {judged.device.reportedAtMs !== undefined && <Age atMs={judged.device.reportedAtMs} />}
        </span>
        <span className={styles.value} data-stale={isUnheard(judged) || undefined} {...verdictAttributes(temperature)}>
          <b className="num">{typeof temperature.value === "number" ? number(temperature.value, 1) : "—"}</b>
          {typeof temperature.value === "number" && <small>{local(localUnit("°C"))}</small>}
          {!isUnheard(judged) && <VerdictMark verdict={temperature} />}
        </span>
      </div>
      {worst && (
        <details>
          <summary>{t("处理")}</summary>
          {alarms.map((alarm) => (
            <div key={alarm.id} className={styles.more}>
              <p className={styles.cause}>
                {local(alarm.sentence)} <Age atMs={alarm.raisedMs} />
              </p>
              <AlarmActions
                alarm={alarm}
                barn={barn}
                about={`${place} ${local(ruleNameOf(alarm))}`}
                mayHandle={mayHandle}
              />
            </div>
          ))}
        </details>
      )}
    </li>
  );
}
