import { deathsMeasure, kindOverview } from "@herdwise/contract";
import type { DeviceKind } from "@herdwise/device-kinds";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./compare.module.css";
import { type Comparison, mostLines, type SpanDays } from "./comparison.ts";
import type { Measure } from "./measures.ts";

interface StartersProps {
  kind: DeviceKind;
  measures: readonly Measure[];
  onStart: (to: Pick<Comparison, "places" | "measures" | "days">) => void;
}

/** Whole comparisons of all farms, one press each: their deaths of the last week, and what the kind is looked at for. */
export function Starters({ kind, measures, onStart }: StartersProps) {
  const t = useTranslate();
  const { value: farms = [] } = useLoad(`compare places ${kind.kind}`, (signal) =>
    call(kindOverview, { query: { kind: kind.kind }, signal, quiet: true }),
  );
  const places = farms.slice(0, mostLines).map(({ id }) => `f${id}`);
  if (places.length < 2) return null;
  const offered: readonly (readonly [string | undefined, SpanDays])[] = [
    [deathsMeasure, 7],
    [kind.pages?.figures[0], 7],
  ];
  return (
    <div className={styles.starters}>
      {offered.flatMap(([key, days]) => {
        const measure = measures.find((one) => one.key === key);
        if (measure === undefined) return [];
        return [
          <Button key={measure.key} icon="chart" onPress={() => onStart({ places, measures: [measure.key], days })}>
            {t("各场区近 {days} 日的{measure}", { days, measure: measure.name })}
          </Button>,
        ];
      })}
    </div>
  );
}
