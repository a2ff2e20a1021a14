import type { UnitInventory } from "@herdwise/contract";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./farms.module.css";
import { categoryNames } from "./inventory-words.ts";

/** Heads of a unit now, in all and by category. */
export function Counts({ unit }: { unit: UnitInventory }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { headCount, categories, lost, arrived, capacity } = unit;
  return (
    <dl className={styles.counts}>
      <div>
        <dt>{t("现在")}</dt>
        <dd>
          <b className="num">{number(headCount)}</b> {t("头")}
        </dd>
      </div>
      {categories.map(({ category, heads }) => (
        <div key={category}>
          <dt>{t(categoryNames[category])}</dt>
          <dd>
            <b className="num">{number(heads)}</b>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t("本批死淘")}</dt>
        <dd>
          <b className="num">{number(lost)}</b>
          {arrived > 0 && <small className="num"> {number((lost / arrived) * 100, 1)} %</small>}
        </dd>
      </div>
      <div>
        <dt>{t("设计存栏")}</dt>
        <dd>
          <b className="num">{number(capacity)}</b>
        </dd>
      </div>
    </dl>
  );
}
