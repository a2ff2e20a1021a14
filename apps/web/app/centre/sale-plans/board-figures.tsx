import type { PlanBoard } from "@herdwise/contract";
import type { ReactNode } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./board.module.css";

function Figure({
  label,
  value,
  unit,
  children,
}: {
  label: string;
  value: string;
  unit?: string;
  children?: ReactNode;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>
          {value}
          {unit !== undefined && <small>{unit}</small>}
        </b>
        {children !== undefined && <span className={styles.under}>{children}</span>}
      </dd>
    </div>
  );
}

const severities = [
  ["critical", "{count} 紧急"],
  ["major", "{count} 严重"],
  ["minor", "{count} 一般"],
] as const;

/** The week in figures: heads by how far they are, vehicles, conflicts. */
export function BoardFigures({ board: { totals, conflicts } }: { board: PlanBoard }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { plans, heads, approvedHeads, publishedHeads, soldHeads, vehicles, capacity } = totals;
  const unit = t("头");
  const share = capacity === 0 ? 0 : Math.min(100, (vehicles / capacity) * 100);
  const soldShare = publishedHeads === 0 ? 0 : Math.round((soldHeads / publishedHeads) * 100);
  return (
    <dl className={`card ${styles.figures}`} aria-label={t("这一周")}>
      <Figure label={t("计划")} value={number(heads)} unit={unit}>
        {t("{count} 个计划", { count: number(plans) })}
      </Figure>
      <Figure label={t("已批准")} value={number(approvedHeads)} unit={unit}>
        {t("还有 {count} 头草稿", { count: number(heads - approvedHeads) })}
      </Figure>
      <Figure label={t("已发布")} value={number(publishedHeads)} unit={unit}>
        {t("待发布 {count} 头", { count: number(approvedHeads - publishedHeads) })}
      </Figure>
      <Figure label={t("已售")} value={number(soldHeads)} unit={unit}>
        {t("占已发布 {percent} %", { percent: soldShare })}
      </Figure>
      <Figure label={t("装车位")} value={number(vehicles)} unit={t("/ {count} 车", { count: number(capacity) })}>
        <span className={styles.meter} data-over={vehicles > capacity || undefined} aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
      </Figure>
      <Figure label={t("冲突")} value={number(conflicts.length)}>
        {conflicts.length === 0 && (
          <span className="state ok">
            <Mark name="ok" />
            {t("没有冲突")}
          </span>
        )}
        {severities.map(([severity, text]) => {
          const count = conflicts.filter((one) => one.severity === severity).length;
          return (
            count > 0 && (
              <span key={severity} className={`state ${severity}`}>
                <Mark name={severity} />
                {t(text, { count })}
              </span>
            )
          );
        })}
      </Figure>
    </dl>
  );
}
