import { climateOf, environment, type JudgedUnit, numberIn } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type KindView, type SettingsPreviewProps, type UnitPartProps, useLocalText } from "../kind/kind-view.ts";
import { useHistories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { verdictAttributes } from "../kind/verdict-mark.tsx";
import { CurvePreview } from "./curve-preview.tsx";
import { FanPreview } from "./fan-preview.tsx";
import { GearTable } from "./gear-table.tsx";
import { UnitHistory } from "./unit-history.tsx";
import { UnitModeButton } from "./unit-mode.tsx";
import { UnitModes } from "./unit-modes.tsx";
import { UnitReplay } from "./unit-replay.tsx";
import { UnitVitals } from "./unit-vitals.tsx";

const sparkKeys = ["rh", "nh3", "co2", "vent", "dp", "water", "t_out"] as const;
const dayMs = 86_400_000;

function UnitMeta({ unit, judged }: { unit: UnitNow; judged: JudgedUnit }) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const gear = numberIn(environment, unit.readings, "gear");
  const heat = judged.verdictOf("thi");
  return (
    <>
      {gear !== undefined && <span>{t("{gear} 档", { gear: number(gear) })}</span>}
      {typeof heat.value === "number" && (
        <span {...verdictAttributes(heat)}>
          {t("温湿指数 {value}，{band}", { value: number(heat.value), band: local(heat.reason) })}
        </span>
      )}
    </>
  );
}

function UnitFigures({ unit, judged }: UnitPartProps) {
  const { value: histories } = useHistories(unit.deviceId, sparkKeys, dayMs);
  return <UnitVitals unit={unit} judged={judged} histories={histories} target={climateOf(unit, judged).target} />;
}

const History = ({ unit, judged }: UnitPartProps) => (
  <UnitHistory unit={unit} judged={judged} target={climateOf(unit, judged).target} />
);

const Settings = ({ unit, judged }: UnitPartProps) => (
  <GearTable target={climateOf(unit, judged).target} gear={numberIn(environment, unit.readings, "gear")} />
);

function FanSettings({ device, before, value }: SettingsPreviewProps) {
  const capacity = value("fan_capacity");
  return (
    <FanPreview
      deviceId={device.deviceId}
      before={before("fan_table")}
      value={value("fan_table")}
      fanM3h={typeof capacity === "number" ? capacity : 0}
      temperature={numberIn(environment, device.readings, "t_in")}
    />
  );
}

/** A unit in section, its history, its gears and its settings. Apart from the view, because the overview, which shows none of it, is on phones. */
export const environmentUnitParts = {
  UnitMeta,
  UnitMode: UnitModeButton,
  unitParts: {
    Figures: UnitFigures,
    keys: ["t_in", "rh", "nh3", "co2", "vent", "dp"],
    Drawing: UnitReplay,
    History,
    Settings,
  },
  ownControls: { mode: UnitModes },
  settingsPreviews: { fan: FanSettings, setting: CurvePreview },
} satisfies Partial<KindView>;
