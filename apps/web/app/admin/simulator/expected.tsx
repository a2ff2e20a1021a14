import { alarmPath, type SimulatorRun, type SimulatorScenario } from "@herdwise/contract";
import { Link } from "react-router";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./simulator.module.css";
import { useLength } from "./use-length.ts";

type Expectation = SimulatorScenario["expects"][number];

/** Causes, each followed by what it leads to. */
function inOrder(expects: readonly Expectation[]): readonly Expectation[] {
  const follows = Map.groupBy(expects, ({ under }) => under);
  const from = (rule: string): Expectation[] =>
    (follows.get(rule) ?? []).flatMap((each) => [each, ...(each.rule === rule ? [] : from(each.rule))]);
  return from("");
}

interface ExpectedProps {
  scenario: SimulatorScenario;
  /** Kind of the device on which it runs. */
  kind: Expectation["kind"];
  /** What came of it so far; absent where it does not run. */
  raised?: SimulatorRun["raised"];
  /** Whether it unfolds at the speed at which it was seen when its alarms come. */
  hasTimes?: boolean;
}

/** The alarms that a scenario raises on a device, what follows from a cause under it, and when each came. */
export function Expected({ scenario, kind, raised, hasTimes = false }: ExpectedProps) {
  const t = useTranslate();
  const language = useLanguage();
  const length = useLength();
  const expects = inOrder(scenario.expects.filter((each) => each.kind === kind));
  if (expects.length === 0) return <p className="mut">{t("不会有告警")}</p>;
  return (
    <ul className={styles.expected}>
      {expects.map(({ rule, name, severity, under, suppressed, afterMin }) => {
        const came = raised?.find((each) => each.rule === rule);
        return (
          <li key={rule} data-under={under !== "" || undefined} data-came={came !== undefined || undefined}>
            <span className={`state ${severityMarks[severity]}`}>
              <Mark name={severityMarks[severity]} />
              {name[language]}
            </span>
            <span className="mut num">
              {came ? (
                <Link className="link" to={`${alarmPath}?id=${came.id}`}>
                  {t(came.ended ? "{time}后来过，已结束" : "{time}后来的", { time: length(came.afterS) })}
                </Link>
              ) : suppressed ? (
                t("被冲洗等模式屏蔽，只记录")
              ) : hasTimes && afterMin >= 0 ? (
                t("约 {time}后", { time: length(Math.max(1, afterMin) * 60) })
              ) : (
                raised && t("还没来")
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
