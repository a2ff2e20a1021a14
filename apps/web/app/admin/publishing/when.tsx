import { MomentField, tomorrowMorning } from "../../shared/forms/date-fields.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";

/** When it is published: now, or at a time in Shanghai. */
export function When({
  at,
  onAt,
  problem,
}: {
  /** yyyy-MM-dd HH:mm; "" while it is not chosen, undefined for now. */
  at: string | undefined;
  onAt: (at: string | undefined) => void;
  problem: string | undefined;
}) {
  const t = useTranslate();
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
          <button type="button" aria-pressed={at !== undefined} onClick={() => onAt(at ?? tomorrowMorning())}>
            {t("定时")}
          </button>
        </fieldset>
        {at !== undefined && <MomentField id="at" label={t("时间")} value={at} problem={problem} onChange={onAt} />}
        {at !== undefined && problem === undefined && <p className="f-hint">{t("北京时间。到点后一分钟内发布。")}</p>}
      </div>
    </section>
  );
}
