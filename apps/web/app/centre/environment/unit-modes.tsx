import { type UnitMode, unitModeSubmit, unitModes, washingTime } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import type { OwnControlProps } from "../kind/kind-view.ts";
import styles from "../kind/parameters.module.css";
import { StateMark } from "../kind/state-mark.tsx";
import { modeNames } from "../kind/words.ts";

/** What each mode does (product.md 2). */
const modeWords: Readonly<Record<UnitMode, string>> = {
  normal: "风机和喷淋按表运行，告警照常推送。",
  empty: "全部告警屏蔽，照常记录；风机、喷淋停。",
  washing: "告警屏蔽，喷淋停；风机按手动档位，或默认按舍外温度。市电和硫化氢仍显示，不推送。",
};

/** How long a unit may be washed, s; the words are those of the other times that are chosen. */
const washes: readonly (readonly [seconds: number, name: string])[] = [
  [3600, "1 小时"],
  [7200, "2 小时"],
  [washingTime.usual, "4 小时"],
  [28_800, "8 小时"],
  [washingTime.max, "1 天"],
];

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
  const [washS, setWashS] = useState(washingTime.usual);
  return (
    <section className="card" aria-labelledby="mode-title">
      <header>
        <h2 id="mode-title">{t("单元模式")}</h2>
        <span className="age">{t("现在 {mode}", { mode: t(modeNames[unit.mode]) })}</span>
      </header>
      <div className={styles.modes} role="radiogroup" aria-labelledby="mode-title">
        {unitModes.map((mode) => (
          <label key={mode} data-chosen={unit.mode === mode || undefined}>
            <input
              type="radio"
              name="unit-mode"
              checked={unit.mode === mode}
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
        <ConfirmDialog
          title={t("切换到“{mode}”？", { mode: t(modeNames[asked]) })}
          action={t("切换")}
          kind={asked === "normal" ? "primary" : "danger"}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            const { deviceIds } = await call(unitModeSubmit, {
              body: { unitId: unit.id, mode: asked, confirmed: true, ...(asked === "washing" && { endsInS: washS }) },
            });
            showToast({ kind: "ok", text: "模式已切换，通知了 {count} 台控制器", values: { count: deviceIds.length } });
            onDone();
          }}
        >
          <p>{t(modeWords[asked])}</p>
          {asked === "empty" && unit.headCount > 0 && (
            <p>
              <StateMark state="critical">
                {t("还有 {count} 头在栏：风机停了会闷死。先登记转出，或确认舍内没有猪。", {
                  count: number(unit.headCount),
                })}
              </StateMark>
            </p>
          )}
          {asked === "washing" && (
            <label className={styles.washTime}>
              <span>{t("多久后自动结束")}</span>
              <select className="input" value={washS} onChange={(event) => setWashS(Number(event.target.value))}>
                {washes.map(([seconds, name]) => (
                  <option key={seconds} value={seconds}>
                    {t(name)}
                  </option>
                ))}
              </select>
              <small>{t("到时恢复之前的模式；舍内有猪时恢复正常饲养。")}</small>
            </label>
          )}
          {asked !== "normal" && <p>{t("本单位的负责人会收到消息：告警已屏蔽。")}</p>}
        </ConfirmDialog>
      )}
    </section>
  );
}
