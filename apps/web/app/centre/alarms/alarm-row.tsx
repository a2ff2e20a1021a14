import type { Alarm } from "@herdwise/contract";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { shortName } from "../farms/short-name.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { severityMarks } from "./alarm-marks.ts";
import { declaredOf, guideOf, kindNameOf, ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";

/** Farm, house and unit, as far as there are any: each without the names that already stand before it. */
export function AlarmPlace({ alarm }: { alarm: Alarm }) {
  const local = useLocalText();
  const nameOf = useNames();
  const { farmName, houseName, unitName, deviceName } = alarm;
  const names = [farmName, houseName, unitName, unitName === "" ? deviceName : ""].filter((name) => name !== "");
  const inWords = names.map(nameOf);
  return (
    <span className={styles.place}>
      {names.map((name, index) => {
        const whole = inWords[index] ?? name;
        const short = shortName(whole, inWords.slice(0, index));
        return (
          <span key={name}>
            {index > 0 && " / "}
            {short === whole ? <Translated text={name} /> : short}
          </span>
        );
      })}
      <span className="mut"> · {local(kindNameOf(alarm))}</span>
    </span>
  );
}

/** The value as it is now, where the alarm holds and is about one; how far it was from which limit stands in its sentence. */
export function AlarmValue({ alarm }: { alarm: Alarm }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const { unit, decimals } = declaredOf(alarm);
  const { currentValue } = alarm;
  return (
    <span className={styles.value}>
      {typeof currentValue === "number" && (
        <>
          <small>{t("现在")}</small> <b className="num">{number(currentValue, decimals)}</b>{" "}
          <small>{local(unit)}</small>
        </>
      )}
    </span>
  );
}

/** How long it has lasted, and since when. */
function AlarmLasting({ alarm }: { alarm: Alarm }) {
  const { duration, clock } = useAlarmTimes();
  const now = useNow();
  return (
    <span className={styles.lasting}>
      <span className="num">{duration((alarm.endedMs ?? now) - alarm.raisedMs)}</span>
      <small className="num">{clock(alarm.raisedMs)}</small>
    </span>
  );
}

/** Times as this area shows them. */
export function useAlarmTimes(): { duration: (ms: number) => string; clock: (atMs: number) => string } {
  return { duration: useDuration(), clock: useFormats().dayTime };
}

interface RowProps {
  alarm: Alarm;
  /** What follows from it. */
  effects: readonly Alarm[];
  chosen: boolean;
  mayHandle: boolean;
  onChoose: () => void;
  onAcknowledge: () => void;
}

/** One open alarm with what follows from it. */
export function AlarmRow({ alarm, effects, chosen, mayHandle, onChoose, onAcknowledge }: RowProps) {
  const t = useTranslate();
  const local = useLocalText();
  const { duration } = useAlarmTimes();
  const now = useNow();
  const [first] = guideOf(alarm)?.steps ?? [];
  return (
    <li className={styles.row} data-chosen={chosen || undefined} data-severity={alarm.severity}>
      <div className={styles.what}>
        <button type="button" className={styles.name} onClick={onChoose} aria-pressed={chosen}>
          {local(alarm.sentence)}
        </button>
        <AlarmPlace alarm={alarm} />
        {alarm.acknowledgedMs === undefined && first && (
          <small className={styles.first}>{t("先做：{step}", { step: local(first) })}</small>
        )}
      </div>
      <AlarmValue alarm={alarm} />
      <AlarmLasting alarm={alarm} />
      <span className={styles.who}>
        {alarm.acknowledgedMs !== undefined || alarm.assignedTo !== "" ? (
          <>
            <span>
              <Icon name="person" small /> {alarm.assignedName || alarm.acknowledgedBy}
            </span>
            <small>{alarm.acknowledgedMs === undefined ? t("已指派，未确认") : t("已确认，升级已停")}</small>
          </>
        ) : (
          <>
            <span className={styles.nobody}>{t("无人接手")}</span>
            {alarm.nextStepMs !== undefined && (
              <small className="num">
                {t("{time}后升级", { time: duration(Math.max(60_000, alarm.nextStepMs - now)) })}
              </small>
            )}
          </>
        )}
      </span>
      <span className={styles.act}>
        {mayHandle && alarm.acknowledgedMs === undefined && (
          <Button small kind={alarm.severity === "CRITICAL" ? "primary" : "plain"} onPress={onAcknowledge}>
            {t("确认")}
          </Button>
        )}
      </span>
      {effects.length > 0 && (
        <ul className={styles.effects} aria-label={t("由它引起")}>
          {effects.map((effect) => (
            <li key={effect.id}>
              <span className={`state ${severityMarks[effect.severity]}`}>
                <Mark name={severityMarks[effect.severity]} />
                {local(ruleNameOf(effect))}
              </span>
              <AlarmPlace alarm={effect} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
