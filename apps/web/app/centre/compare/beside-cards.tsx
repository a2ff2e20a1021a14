import type { ComparisonAnswer } from "@herdwise/contract";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useSizeText } from "./answer-card.tsx";
import styles from "./compare.module.css";
import type { Measure } from "./measures.ts";

const signed = (size: number, text: string): string => (size > 0 ? `+${text}` : text);

/** At which hours of the day the lines of the first answer differ. */
export function HoursCard({
  answer,
  hours,
  measure,
}: {
  answer: ComparisonAnswer;
  hours: readonly (readonly [hour: number, size: number])[];
  measure: Measure;
}) {
  const t = useTranslate();
  const sizeText = useSizeText();
  const sign = (answer.size ?? 0) >= 0 ? 1 : -1;
  const most = Math.max(1e-9, ...hours.map(([, size]) => Math.abs(size)));
  const told = hours.map(([hour, size]) => ({ hour, size: size * sign }));
  const worst = told.toSorted((a, b) => b.size - a.size)[0];
  const label = worst
    ? t("{hour} 点差得最多：{size} {unit}", {
        hour: worst.hour,
        size: sizeText(worst.size, measure),
        unit: measure.unit,
      })
    : "";
  return (
    <section className="card" aria-labelledby="hours-title">
      <header>
        <h2 id="hours-title">{t("一天里差在几点")}</h2>
        <span className="mut">{label}</span>
      </header>
      <ol className={styles.hours} aria-label={t("各钟点的差")}>
        {told.map(({ hour, size }) => (
          <li key={hour} data-below={size < 0 || undefined}>
            <i style={{ height: `${(Math.abs(size) / most) * 100}%` }} aria-hidden="true" />
            <span className="visually-hidden">
              {t("{hour} 点：{size} {unit}", { hour, size: sizeText(size, measure), unit: measure.unit })}
            </span>
            {hour % 3 === 0 && <small aria-hidden="true">{hour}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What else differed at the same time, and what did not. */
export function OthersCard({
  answers,
  measures,
}: {
  answers: readonly ComparisonAnswer[];
  measures: readonly Measure[];
}) {
  const t = useTranslate();
  const sizeText = useSizeText();
  const join = useJoin();
  const named = answers.flatMap((answer) => {
    const measure = measures.find(({ key }) => key === answer.key);
    return measure && answer.verdict !== "too-few" ? [{ answer, measure }] : [];
  });
  const different = named.filter(({ answer }) => answer.verdict === "different");
  const alike = named.filter(({ answer }) => answer.verdict === "noise");
  if (named.length === 0) return null;
  return (
    <section className="card" aria-labelledby="others-title">
      <header>
        <h2 id="others-title">{t("同时不一样的")}</h2>
        <span className="mut">{t("一起出现，不等于原因")}</span>
      </header>
      <dl className={styles.others}>
        {different.map(({ answer, measure }) => (
          <div key={measure.key}>
            <dt>
              {measure.name}
              {answer.means && (
                <small className="mut num">
                  {t("{first} 对 {other} {unit}", {
                    first: sizeText(answer.means[0], measure),
                    other: sizeText(answer.means[1], measure),
                    unit: measure.unit,
                  })}
                </small>
              )}
            </dt>
            <dd className="num">{signed(answer.size ?? 0, sizeText(answer.size ?? 0, measure))}</dd>
          </div>
        ))}
      </dl>
      {alike.length > 0 && (
        <p className={styles.none}>
          {t("看不出差别的：{names}", { names: join(alike.map(({ measure }) => measure.name)) })}
        </p>
      )}
    </section>
  );
}
