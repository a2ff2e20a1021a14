import { useMemo } from "react";
import { Problem } from "../../shared/forms/problem.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";

/** When it is published: now, or at a time in Shanghai. */
export function When({
  at,
  onAt,
  problem,
}: {
  at: { day: string; time: string } | undefined;
  onAt: (at: { day: string; time: string } | undefined) => void;
  problem: string | undefined;
}) {
  const t = useTranslate();
  const tomorrow = useMemo(() => new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10), []);
  return (
    <section className="card" aria-labelledby="when-title">
      <header>
        <h2 id="when-title">{t("什么时候")}</h2>
      </header>
      <div className={styles.pad}>
        <fieldset className={styles.segments} aria-label={t("发布时间")}>
          <button type="button" aria-pressed={at === undefined} onClick={() => onAt(undefined)}>
            {t("现在")}
          </button>
          <button
            type="button"
            aria-pressed={at !== undefined}
            onClick={() => onAt(at ?? { day: tomorrow, time: "07:30" })}
          >
            {t("定时")}
          </button>
        </fieldset>
        {at && (
          <div className={styles.pair}>
            <div className="form-field">
              <label htmlFor="at-day">{t("日期")}</label>
              <input
                className="input"
                id="at-day"
                type="date"
                value={at.day}
                aria-describedby="at-problem"
                onChange={(event) => onAt({ ...at, day: event.target.value })}
              />
            </div>
            <div className="form-field">
              <label htmlFor="at-time">{t("时间")}</label>
              <input
                className="input"
                id="at-time"
                type="time"
                value={at.time}
                aria-describedby="at-problem"
                onChange={(event) => onAt({ ...at, time: event.target.value })}
              />
            </div>
          </div>
        )}
        <Problem id="at-problem" text={problem} />
        {at && problem === undefined && <p className="f-hint">{t("北京时间。到点后一分钟内发布。")}</p>}
      </div>
    </section>
  );
}
