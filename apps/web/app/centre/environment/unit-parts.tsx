import { environment } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { AnalyticsCard } from "../kind/analytics-card.tsx";
import { DeviceCommands } from "../kind/device-commands.tsx";
import { DeviceFacts } from "../kind/device-facts.tsx";
import { HealthList } from "../kind/health-list.tsx";
import { type JudgedUnit, numberIn } from "../kind/judge.ts";
import { type KindView, type SettingsPreviewProps, type UnitBodyProps, useLocalText } from "../kind/kind-view.ts";
import { useHistories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { verdictAttributes } from "../kind/verdict-mark.tsx";
import { climateOf } from "./climate.ts";
import { CurvePreview } from "./curve-preview.tsx";
import { FanPreview } from "./fan-preview.tsx";
import { GearTable } from "./gear-table.tsx";
import { UnitHistory } from "./unit-history.tsx";
import { UnitModes } from "./unit-modes.tsx";
import { UnitSection } from "./unit-section.tsx";
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

function UnitBody({ unit, judged, offline }: UnitBodyProps) {
  const t = useTranslate();
  const { value: histories } = useHistories(unit.deviceId, sparkKeys, dayMs);
  const { target } = climateOf(unit, judged);
  const [controller] = unit.devices;
  return (
    <>
      <UnitVitals unit={unit} judged={judged} histories={histories} target={target} />
      <UnitSection unit={unit} judged={judged} offline={offline} stale={judged.freshness === "stale"} />
      <div className="two">
        <div>
          <UnitHistory unit={unit} judged={judged} target={target} />
          <GearTable target={target} gear={numberIn(environment, unit.readings, "gear")} />
        </div>
        <div>
          <HealthList problems={judged.problems} masked={unit.mode !== "normal"} offline={offline} />
          {controller && (
            <DeviceCommands
              deviceId={controller.deviceId}
              deviceName={controller.name}
              offline={!controller.connected && controller.status !== "online"}
            />
          )}
          {controller && <DeviceFacts device={controller} title={t("控制器")} />}
        </div>
        {controller && <AnalyticsCard deviceId={controller.deviceId} />}
      </div>
    </>
  );
}

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
  UnitBody,
  ownControls: { mode: UnitModes },
  settingsPreviews: { fan: FanSettings, setting: CurvePreview },
} satisfies Partial<KindView>;
