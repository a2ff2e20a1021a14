import type { Alarm, AlarmSeverity } from "@herdwise/contract";
import { knownLengths, knownMinutes } from "@herdwise/contract/alarm-asking";
import { useId, useState } from "react";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./acknowledge.module.css";

/** Lengths that can be chosen for a severity, in minutes, with their names. */
function lengthsOf(severity: AlarmSeverity): (readonly [number, string])[] {
  const names = { 15: "15 分钟", 30: "30 分钟", 60: "1 小时", 120: "2 小时", 240: "4 小时", 480: "8 小时" } as const;
  return knownLengths
    .filter((minutes) => minutes <= knownMinutes[severity].most)
    .map((minutes) => [minutes, names[minutes]]);
}

interface AcknowledgeProps {
  alarm: Pick<Alarm, "severity">;
  /** Nobody knows of it now. */
  asks: boolean;
  onAcknowledge: (minutes: number) => void;
}

/** To acknowledge an alarm for a time, or to set the time of a known one anew. */
export function Acknowledge({ alarm: { severity }, asks, onAcknowledge }: AcknowledgeProps) {
  const t = useTranslate();
  const id = useId();
  const [minutes, setMinutes] = useState(knownMinutes[severity].usual);
  return (
    <div className={styles.acknowledge}>
      <Button {...(asks && { kind: "primary" as const })} icon="check" onPress={() => onAcknowledge(minutes)}>
        {asks ? t("确认，我来") : t("重新确认")}
      </Button>
      <span className={styles.remind}>
        <label htmlFor={id}>{t("不再提醒")}</label>
        <span className={styles.length}>
          <Select id={id} value={minutes} options={lengthsOf(severity)} onChange={setMinutes} />
        </span>
      </span>
      <small>
        <Icon name="bell" small />
        {t("变严重或到时间，会再提醒")}
      </small>
    </div>
  );
}
