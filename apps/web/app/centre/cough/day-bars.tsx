import type { CoughAdvice } from "@herdwise/contract";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useKind } from "../kind/kind-view.ts";
import { actsFrom } from "./butler-order.ts";
import styles from "./day-bars.module.css";

/** Coughing of the last fifteen days as bars, those to be acted on marked, days without a figure left out as gaps. */
export function DayBars({ advice }: { advice: CoughAdvice }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind } = useKind();
  const { days } = advice;
  const limit = actsFrom(kind, advice);
  const most = Math.max(1e-9, limit ?? 0, ...days.map(({ value = 0 }) => value));
  return (
    <figure className={styles.days}>
      <ol>
        {days.map(({ end, value }, at) => (
          <li key={end} data-above={(value !== undefined && limit !== undefined && value >= limit) || undefined}>
            {value === undefined ? (
              <i data-gap aria-hidden="true" />
            ) : (
              <i style={{ height: `${(value / most) * 100}%` }} aria-hidden="true" />
            )}
            <span className="visually-hidden">
              {t("{days} 天前：{value}", {
                days: days.length - 1 - at,
                value: value === undefined ? t("没听到") : number(value, 2),
              })}
            </span>
          </li>
        ))}
        {limit !== undefined && (
          <li className={styles.limit} style={{ bottom: `${(limit / most) * 100}%` }} aria-hidden="true" />
        )}
      </ol>
      <figcaption className="mut">
        {limit === undefined
          ? t("近 15 天，每头每天咳几次")
          : t("近 15 天，每头每天咳几次；到虚线 {limit} 就今天处理", { limit: number(limit, 2) })}
      </figcaption>
    </figure>
  );
}
