import { type ChosenMoment, MomentFields, tomorrowMorning } from "../../shared/forms/moment-fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";

/** When it is published: now, or at a time in Shanghai. */
export function When({
  at,
  onAt,
  problem,
}: {
  at: ChosenMoment | undefined;
  onAt: (at: ChosenMoment | undefined) => void;
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
        {at && <MomentFields id="at" at={at} onAt={onAt} describedBy="at-problem" />}
        <Problem id="at-problem" text={problem} />
        {at && problem === undefined && <p className="f-hint">{t("北京时间。到点后一分钟内发布。")}</p>}
      </div>
    </section>
  );
}
