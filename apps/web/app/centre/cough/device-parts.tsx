import type { CoughAdvice } from "@herdwise/contract";
import { Link } from "react-router";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type KindView, kindPath, type OwnPartProps, useKind } from "../kind/kind-view.ts";
import { Sparkline } from "../kind/sparkline.tsx";
import { StateMark } from "../kind/state-mark.tsx";
import { useAnalytics } from "../kind/use-analytics.ts";
import { lookOf } from "./advice-states.ts";
import { actsFrom } from "./butler-order.ts";
import { DayBars } from "./day-bars.tsx";
import styles from "./device-parts.module.css";
import { useHeadline } from "./use-headline.ts";

/** What the butler says of a monitor; undefined until it is known, and where it heard too little. */
function useHeard(deviceId: string): CoughAdvice | undefined {
  const { value } = useAnalytics(deviceId);
  const advice = value?.devices[0]?.advice;
  return advice?.index === undefined ? undefined : advice;
}

/** Coughs of the last 24 hours per pig, with the figure and the verdict that the butler and the overview tell. */
function CoughIndex({ deviceId, declared }: OwnPartProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const join = useJoin("clauses");
  const { kind } = useKind();
  const advice = useHeard(deviceId);
  if (advice?.index === undefined) return declared;
  const { index, baseline, days } = advice;
  const limit = actsFrom(kind, advice);
  const { state, name } = lookOf(advice);
  return (
    <div className="vital" data-state={state === "ok" || state === "empty" ? undefined : state}>
      <div className="row">
        <h3 className="lbl">{t("近 24 小时咳嗽")}</h3>
        <StateMark state={state}>{t(name)}</StateMark>
      </div>
      <div className="value">
        <div>
          <span className="figure">{number(index, 2)}</span>
          <small>{t("次/头")}</small>
        </div>
        <Sparkline points={days.flatMap(({ value }) => (value === undefined ? [] : [{ value }]))} />
      </div>
      <div className="tgt">
        {baseline !== undefined && (
          <span>
            {join([
              t("平常 {value}", { value: number(baseline, 2) }),
              ...(limit === undefined ? [] : [t("上限 {value}", { value: number(limit, 2) })]),
            ])}
          </span>
        )}
      </div>
    </div>
  );
}

/** Coughing of the last days against what is usual, and what it comes to. */
function CoughTrend({ deviceId, declared }: OwnPartProps) {
  const t = useTranslate();
  const { kind } = useKind();
  const headline = useHeadline(undefined);
  const advice = useHeard(deviceId);
  if (!advice) return declared;
  return (
    <section className="card" aria-labelledby="cough-days">
      <header>
        <h2 id="cough-days">{t("近 15 天咳嗽")}</h2>
        <span className="spacer" />
        <Link className="link" to={kindPath(kind.kind, "analysis")}>
          {t("看咳嗽管家")}
        </Link>
      </header>
      <div className={styles.trend}>
        <p>{headline(advice)}</p>
        <DayBars advice={advice} />
      </div>
    </section>
  );
}

/** What the pages of a unit and of a monitor show of coughing instead of what the declaration says. */
export const coughDeviceParts: Pick<KindView, "ownFigures" | "OwnTrend"> = {
  ownFigures: { rdi: CoughIndex },
  OwnTrend: CoughTrend,
};
