import { type UnitMode, unitModes } from "@herdwise/contract";
import { useState } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { OwnControlProps } from "../kind/kind-view.ts";
import styles from "../kind/parameters.module.css";
import { StateMark } from "../kind/state-mark.tsx";
import { modeNames } from "../kind/words.ts";
import { ConfirmMode, modeWords } from "./unit-mode.tsx";

/** Says when the washing of a unit ends, and lets it go on for longer. */
function WashingEnd({ unit, disabled, onAgain }: Pick<OwnControlProps, "unit" | "disabled"> & { onAgain: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  if (unit.mode !== "washing" || unit.modeEndsMs === undefined) return null;
  return (
    <p className={styles.modeEnd} role="status">
      <StateMark state="washing">{t("冲洗到 {time} 自动结束，恢复告警", { time: dayTime(unit.modeEndsMs) })}</StateMark>
      <button type="button" className="btn" disabled={disabled} onClick={onAgain}>
        {t("重新计时")}
      </button>
    </p>
  );
}

/** The mode of a unit as three choices; another one is asked for and sent at once, to all controllers of the unit. */
export function UnitModes({ unit, disabled, onDone }: OwnControlProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const [asked, setAsked] = useState<UnitMode>();
  const [accepted, setAccepted] = useState<{ unit: OwnControlProps["unit"]; mode: UnitMode }>();
  // What the server accepted stands until the unit is read again.
  const current = accepted?.unit === unit ? accepted.mode : unit.mode;
  return (
    <section className="card" aria-labelledby="mode-title">
      <header>
        <h2 id="mode-title">{t("单元模式")}</h2>
        <span className="age">{t("现在 {mode}", { mode: t(modeNames[current]) })}</span>
      </header>
      <div className={styles.modes} role="radiogroup" aria-labelledby="mode-title">
        {unitModes.map((mode) => (
          <label key={mode} data-chosen={current === mode || undefined}>
            <input
              type="radio"
              name="unit-mode"
              checked={current === mode}
              disabled={disabled}
              onChange={() => setAsked(mode)}
            />
            <span>
              <b>{t(modeNames[mode])}</b>
              <span>{t(modeWords[mode])}</span>
              {mode === "empty" && unit.headCount > 0 && (
                <StateMark state="major">
                  {t("还有 {count} 头在栏，先登记转出", { count: number(unit.headCount) })}
                </StateMark>
              )}
            </span>
          </label>
        ))}
      </div>
      <WashingEnd unit={unit} disabled={disabled} onAgain={() => setAsked("washing")} />
      {asked && (
        <ConfirmMode
          unit={unit}
          mode={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAccepted({ unit, mode: asked });
            onDone();
          }}
        />
      )}
    </section>
  );
}
