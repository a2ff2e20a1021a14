import type { Verdict } from "@herdwise/device-kinds";
import { problemDetail, problemName } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDeclared, useKind, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";
import { verdictAttributes } from "./verdict-mark.tsx";

/** What is not good right now, worst first. It is the health of the newest values, not a history of alarms. */
export function HealthList({
  problems,
  masked,
  offline,
  shownAbove,
}: {
  problems: readonly Verdict[];
  masked: boolean;
  offline: boolean;
  /** Values that the page shows above. */
  shownAbove: readonly string[];
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const { offline: offlineWords } = useKind();
  const declared = useDeclared();
  return (
    <section className="card" aria-labelledby="health-title">
      <header>
        <h2 id="health-title">{t("需要关注")}</h2>
        {problems[0] && problems[0].state !== "unknown" && (
          <StateMark state={problems[0].state} tag>
            {t("{count} 项", { count: problems.length })}
          </StateMark>
        )}
      </header>
      {problems.length === 0 ? (
        <p className="calm">
          {offline ? (
            <StateMark state="offline">{offlineWords ? t("控制器离线，无法判断") : t("设备离线，无法判断")}</StateMark>
          ) : masked ? (
            <StateMark state="ok">{t("空栏或冲洗中，除安全类告警外均不判断")}</StateMark>
          ) : (
            <StateMark state="ok">{t("各项数值都在限内")}</StateMark>
          )}
        </p>
      ) : (
        <ul className="health-list">
          {problems.map((problem) => {
            const about = declared(problem.key, problem.value);
            return (
              <li key={problem.key} {...verdictAttributes(problem)}>
                {problem.state !== "unknown" && <StateMark state={problem.state} tag />}
                <div>
                  <b>{local(problemName(problem))}</b>
                  {problem.value !== undefined && <span className="mut">{local(problemDetail(problem))}</span>}
                  {typeof problem.value === "number" && !shownAbove.includes(problem.key) && (
                    <span className="mut" data-value>
                      {t("现在 {value}", { value: `${number(problem.value, about.decimals)} ${about.unit}`.trim() })}
                    </span>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
