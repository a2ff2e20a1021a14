import { type Alarm, alarmSeverityNames } from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { shortName } from "../farms/short-name.ts";
import { useLocalText } from "../kind/kind-view.ts";
import type { AlarmGroup } from "./alarm-groups.ts";
import { declaredOf, guideOf, kindNameOf, ruleNameOf } from "./alarm-words.ts";
import styles from "./alarms.module.css";
import { KnownMark } from "./known-mark.tsx";

/** Farm, house and unit, as far as there are any: each without the names that already stand before it. */
export function AlarmPlace({ alarm }: { alarm: Alarm }) {
  const local = useLocalText();
  const nameOf = useNames();
  const { farmName, houseName, unitName, deviceName } = alarm;
  const names = [farmName, houseName, unitName, unitName === "" ? deviceName : ""].filter((name) => name !== "");
  const inWords = names.map(nameOf);
  const kind = local(kindNameOf(alarm));
  const isNamed = inWords.at(-1)?.toLowerCase().includes(kind.toLowerCase());
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
      {!isNamed && <span className="mut"> · {kind}</span>}
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
  group: AlarmGroup;
  chosen: string | undefined;
  mayHandle: boolean;
  onChoose: (id: string) => void;
  onAcknowledge: (id: string) => void;
}

/** The alarm whose value is told of a group: its lead, else one of the same device beneath it that is about a value itself. */
function valuedOf({ lead, cause, others }: AlarmGroup): Alarm {
  const own = (alarm: Alarm): boolean => typeof alarm.currentValue === "number";
  if (own(lead)) return lead;
  const beneath = [...others, ...(cause ? [cause] : [])];
  // A quick rise in K is of a temperature in °C.
  const unitOf = (alarm: Alarm): string => declaredOf(alarm).unit.en.replace(/^K$/, "°C");
  return beneath.find((one) => one.deviceId === lead.deviceId && own(one) && unitOf(one) === unitOf(lead)) ?? lead;
}

/** The worst alarm of a group, below it what probably caused it and what else goes with it. */
export function AlarmRow({ group, chosen: chosenId, mayHandle, onChoose, onAcknowledge }: RowProps) {
  const { lead: alarm, cause, others } = group;
  const chosen = alarm.id === chosenId;
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { duration } = useAlarmTimes();
  const now = useNow();
  const [first] = guideOf(alarm)?.steps ?? [];
  const asks = asksNow(alarm, now);
  return (
    <li className={styles.row} data-chosen={chosen || undefined} data-severity={alarm.severity}>
      <div className={styles.what}>
        <button type="button" className={styles.name} onClick={() => onChoose(alarm.id)} aria-pressed={chosen}>
          <WholeValues text={local(alarm.sentence)} />
        </button>
        <AlarmPlace alarm={alarm} />
        {asks && first && <small className={styles.first}>{t("先做：{step}", { step: local(first) })}</small>}
      </div>
      <AlarmValue alarm={valuedOf(group)} />
      <AlarmLasting alarm={alarm} />
      <span className={styles.who}>
        {alarm.assignedTo !== "" && (asks || alarm.assignedName !== alarm.known?.by) && (
          <span>
            <Icon name="person" small /> {nameOf(alarm.assignedName)}
          </span>
        )}
        {alarm.known && !asks ? (
          <KnownMark known={alarm.known} />
        ) : (
          <>
            {asks && (
              <span className={styles.nobody}>
                {alarm.acknowledgedMs !== undefined
                  ? t("又在提醒")
                  : alarm.assignedTo === ""
                    ? t("无人接手")
                    : t("已指派，未确认")}
              </span>
            )}
            {alarm.nextStepMs !== undefined && (
              <small className="num">
                {t("{time}后升级", { time: duration(Math.max(60_000, alarm.nextStepMs - now)) })}
              </small>
            )}
          </>
        )}
      </span>
      <span className={styles.act}>
        {mayHandle && asks && (
          <Button
            small
            kind={alarm.severity === "CRITICAL" ? "primary" : "plain"}
            onPress={() => onAcknowledge(alarm.id)}
          >
            {t("确认")}
          </Button>
        )}
      </span>
      {[
        { label: t("可能的起因"), listed: cause ? [cause] : [] },
        { label: cause ? t("同一起因的") : t("由它引起"), listed: others },
      ].map(({ label, listed }) =>
        listed.length === 0 ? null : (
          <div key={label} className={styles.effects}>
            <small className="mut">{label}</small>
            <ul aria-label={label}>
              {listed.map((one) => (
                <li key={one.id}>
                  <span className={`state ${severityMarks[one.severity]}`}>
                    <Mark name={severityMarks[one.severity]} />
                  </span>
                  <button
                    type="button"
                    className={styles.name}
                    onClick={() => onChoose(one.id)}
                    aria-pressed={one.id === chosenId}
                  >
                    <span className="visually-hidden">{t(alarmSeverityNames[one.severity])} </span>
                    {local(ruleNameOf(one))}
                  </button>
                  <AlarmPlace alarm={one} />
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </li>
  );
}
