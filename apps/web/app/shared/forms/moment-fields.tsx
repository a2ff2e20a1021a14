import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useTranslate } from "../language/use-language.ts";
import styles from "./moment-fields.module.css";

/** A day and a time of it in Shanghai, as the browser's own fields have them; "" where one is not chosen. */
export interface ChosenMoment {
  day: string;
  time: string;
}

/** Half past seven of tomorrow in Shanghai: when people begin to read. */
export const tomorrowMorning = (): ChosenMoment => ({
  day: shanghaiDay(Date.now() + 24 * 3_600_000),
  time: "07:30",
});

/** A chosen moment as the wire has it. */
export const wireMoment = ({ day, time }: ChosenMoment): string => `${day} ${time}:00`;

/** A day and a time in Shanghai side by side. */
export function MomentFields({
  id,
  at,
  onAt,
  describedBy,
}: {
  /** The fields are `<id>-day` and `<id>-time`. */
  id: string;
  at: ChosenMoment;
  onAt: (at: ChosenMoment) => void;
  describedBy?: string;
}) {
  const t = useTranslate();
  const field = (name: keyof ChosenMoment, label: string, type: "date" | "time") => (
    <div className="form-field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        className="input"
        id={`${id}-${name}`}
        type={type}
        value={at[name]}
        aria-describedby={describedBy}
        onChange={({ target }) => onAt({ ...at, [name]: target.value })}
      />
    </div>
  );
  return (
    <div className={styles.moment}>
      {field("day", t("日期"), "date")}
      {field("time", t("时间"), "time")}
    </div>
  );
}
