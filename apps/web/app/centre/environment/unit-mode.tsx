import { type UnitDetail, type UnitMode, unitModeSubmit, unitModes, washingTime } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog, Dialog } from "../../shared/kit/dialog.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "../kind/parameters.module.css";
import { StateMark } from "../kind/state-mark.tsx";
import { modeNames } from "../kind/words.ts";

/** What each mode does (product.md 2). */
export const modeWords: Readonly<Record<UnitMode, string>> = {
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

interface ConfirmModeProps {
  unit: UnitDetail;
  mode: UnitMode;
  onClose: () => void;
  onDone: () => void;
}

/** Says what a mode does before the unit and all of its controllers change to it. */
export function ConfirmMode({ unit, mode, onClose, onDone }: ConfirmModeProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const [washS, setWashS] = useState(washingTime.usual);
  return (
    <ConfirmDialog
      title={t("切换到“{mode}”？", { mode: t(modeNames[mode]) })}
      action={t("切换")}
      kind={mode === "normal" ? "primary" : "danger"}
      onClose={onClose}
      onConfirm={async () => {
        const { deviceIds } = await call(unitModeSubmit, {
          body: { unitId: unit.id, mode, confirmed: true, ...(mode === "washing" && { endsInS: washS }) },
        });
        showToast({ kind: "ok", text: "模式已切换，通知了 {count} 台控制器", values: { count: deviceIds.length } });
        onDone();
      }}
    >
      <p>{t(modeWords[mode])}</p>
      {mode === "empty" && unit.headCount > 0 && (
        <p>
          <StateMark state="critical">
            {t("还有 {count} 头在栏：风机停了会闷死。先登记转出，或确认舍内没有猪。", {
              count: number(unit.headCount),
            })}
          </StateMark>
        </p>
      )}
      {mode === "washing" && (
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
      {mode !== "normal" && <p>{t("本单位的负责人会收到消息：告警已屏蔽。")}</p>}
    </ConfirmDialog>
  );
}

/** The mode of a unit in its head; it leads to the other modes for who may set it. @param says the mode, and until when */
export function UnitModeButton({ unit, says, onDone }: { unit: UnitDetail; says: string; onDone: () => void }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const [choosing, setChoosing] = useState(false);
  const [asked, setAsked] = useState<UnitMode>();
  if (!permissions.has("parameter_edit")) return <span className="tag">{says}</span>;
  return (
    <>
      <button type="button" className="mode-button" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
        <span className="visually-hidden">{t("单元模式")} </span>
        {says}
        <Icon name="down" small />
      </button>
      {choosing && (
        <Dialog
          title={t("单元模式")}
          onClose={() => setChoosing(false)}
          footer={<Button onPress={() => setChoosing(false)}>{t("取消")}</Button>}
        >
          <div className={styles.modeList}>
            {unitModes.map((mode) => (
              <button
                key={mode}
                type="button"
                aria-current={unit.mode === mode || undefined}
                onClick={() => {
                  setChoosing(false);
                  setAsked(mode);
                }}
              >
                <b>{t(modeNames[mode])}</b>
                <span>{t(modeWords[mode])}</span>
              </button>
            ))}
          </div>
        </Dialog>
      )}
      {asked && <ConfirmMode unit={unit} mode={asked} onClose={() => setAsked(undefined)} onDone={onDone} />}
    </>
  );
}
