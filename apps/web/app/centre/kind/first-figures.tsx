import { unitStates } from "@herdwise/contract/unit-states";
import { useState } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { drawnFirst } from "./first-drawn.ts";
import { firstFiguresAttribute } from "./first-figures-script.ts";
import "./unit.css";
import { stateMarks, stateNames } from "./unit-states.ts";
import { standingMarks } from "./verdict-mark.tsx";

/**
 * Where the document's own script puts the first figures of a unit or a device with their verdicts and the curve that led to now,
 * before React has begun; it stays until the page itself has its values.
 */
export function FirstFigures() {
  const t = useTranslate();
  const [html] = useState(() => (import.meta.env.SSR ? "" : (drawnFirst()?.html ?? "")));
  const looks = Object.fromEntries([
    ...unitStates.map((state) => [state, [stateMarks[state].tone, t(stateNames[state])]]),
    ...Object.entries(standingMarks).map(([standing, { tone }]) => [`=${standing}`, [tone]]),
  ]);
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {t("正在加载")}
      </span>
      <div
        {...{ [firstFiguresAttribute]: "" }}
        className="first-figures"
        data-trend={t("{name}，24 小时")}
        data-looks={JSON.stringify(looks)}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <section className="card vitals wait" aria-hidden="true">
        <p className="first-name">
          <Skeleton width={8} />
        </p>
        <div className="grid" data-count={6}>
          {[0, 1, 2, 3, 4, 5].map((cell) => (
            <div key={cell} className="vital">
              <Skeleton width={4} />
              <Skeleton width={3} />
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}
