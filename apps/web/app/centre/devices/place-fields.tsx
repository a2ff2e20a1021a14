import { farmTree } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import styles from "./place-fields.module.css";
import { UnitPlan } from "./unit-plan.tsx";

/** Where a device is put, as the form holds it; "" where nothing is chosen. */
export interface PlaceDraft {
  farmId: string;
  houseId: string;
  unitId: string;
  /** In ten-thousandths of the unit's length and width; undefined where nobody says. */
  x: number | undefined;
  y: number | undefined;
  /** Above the floor, m, as typed. */
  height: string;
}

export const noPlace: PlaceDraft = { farmId: "", houseId: "", unitId: "", x: undefined, y: undefined, height: "" };

const heightCm = (text: string): number | undefined => {
  const metres = Number(text.replace(",", "."));
  return text.trim() === "" || !Number.isFinite(metres) ? undefined : Math.round(metres * 100);
};

/** Whether the height that was typed is one. */
export const isHeight = (text: string): boolean => {
  const cm = heightCm(text);
  return text.trim() === "" || (cm !== undefined && cm >= 0 && cm <= 2000);
};

/** What is sent of a place. */
export function placeBody({ farmId, houseId, unitId, x, y, height }: PlaceDraft) {
  const cm = heightCm(height);
  return {
    farmId,
    ...(houseId === "" ? {} : { houseId }),
    ...(unitId === "" ? {} : { unitId }),
    ...(unitId === "" || x === undefined || y === undefined ? {} : { positionX: x, positionY: y }),
    ...(unitId === "" || cm === undefined ? {} : { heightCm: cm }),
  };
}

const percent = (share: number | undefined): string => (share === undefined ? "" : String(Math.round(share / 100)));
const shareOf = (text: string): number | undefined => {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value)
    ? undefined
    : Math.min(100, Math.max(0, Math.round(value))) * 100;
};

/** Farm, house and unit of a device, and where in the unit it hangs. */
export function PlaceFields({
  value,
  onChange,
  problem,
}: {
  value: PlaceDraft;
  onChange: (value: PlaceDraft) => void;
  /** In the chosen language. */
  problem?: string | undefined;
}) {
  const t = useTranslate();
  const farms = useLoad("farm-tree", (signal) => call(farmTree, { signal, quiet: true }));
  if (farms.error && !farms.value)
    return <LoadingProblem error={farms.error} onRetry={farms.reload} what={t("场区")} />;
  if (!farms.value) return <Skeleton width={18} />;
  const farm = farms.value.find(({ id }) => id === value.farmId);
  const house = farm?.houses.find(({ id }) => id === value.houseId);
  const unit = house?.units.find(({ id }) => id === value.unitId);
  const free = { x: undefined, y: undefined, height: "" };
  return (
    <div className={styles.fields}>
      <SelectField
        id="place-farm"
        label={t("场区")}
        required
        value={value.farmId}
        problem={problem}
        options={[["", "请选择"], ...farms.value.map(({ id, name }) => [id, name] as const)]}
        onChange={(farmId) => onChange({ ...free, farmId, houseId: "", unitId: "" })}
      />
      {farm && (
        <SelectField
          id="place-house"
          label={t("猪舍")}
          value={value.houseId}
          hint={t("服务整个场区的设备不选。")}
          options={[["", "不选"], ...farm.houses.map(({ id, name }) => [id, name] as const)]}
          onChange={(houseId) => onChange({ ...value, ...free, houseId, unitId: "" })}
        />
      )}
      {house && (
        <SelectField
          id="place-unit"
          label={t("单元")}
          value={value.unitId}
          options={[["", "不选"], ...house.units.map(({ id, name }) => [id, name] as const)]}
          onChange={(unitId) => onChange({ ...value, ...free, unitId })}
        />
      )}
      {unit && (
        <fieldset className={styles.position}>
          <legend>{t("装在哪里")}</legend>
          <UnitPlan
            label={t("{unit}的平面图", { unit: unit.name })}
            point={value.x === undefined || value.y === undefined ? undefined : { x: value.x, y: value.y }}
            onPoint={({ x, y }) => onChange({ ...value, x, y })}
          />
          <p className="f-hint">{t("在图上点一下或拖动标记，也可以填写数字；不确定时可以不填。")}</p>
          <div className={styles.numbers}>
            <TextField
              id="place-x"
              label={t("距西端（%）")}
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              value={percent(value.x)}
              onChange={(text) => onChange({ ...value, x: shareOf(text), y: value.y ?? 5000 })}
            />
            <TextField
              id="place-y"
              label={t("距北侧（%）")}
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              value={percent(value.y)}
              onChange={(text) => onChange({ ...value, y: shareOf(text), x: value.x ?? 5000 })}
            />
            <TextField
              id="place-height"
              label={t("离地（m）")}
              inputMode="text"
              autoComplete="off"
              maxLength={5}
              value={value.height}
              problem={isHeight(value.height) ? undefined : t("离地高度在 0 到 20 m 之间")}
              onChange={(height) => onChange({ ...value, height })}
            />
          </div>
        </fieldset>
      )}
    </div>
  );
}
