import { environment, thi, thiBand, thiBands } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { AnalyticsCard } from "../kind/analytics-card.tsx";
import { DeviceCommands } from "../kind/device-commands.tsx";
import { DeviceFacts } from "../kind/device-facts.tsx";
import { HealthList } from "../kind/health-list.tsx";
import { numberIn } from "../kind/judge.ts";
import { type KindView, type SettingsPreviewProps, type UnitBodyProps, useLocalText } from "../kind/kind-view.ts";
import { useHistories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
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

function UnitMeta({ unit }: { unit: UnitNow }) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const gear = numberIn(environment, unit.readings, "gear");
  const temperature = numberIn(environment, unit.readings, "t_in");
  const humidity = numberIn(environment, unit.readings, "rh");
  const heat = temperature === undefined || humidity === undefined ? undefined : thi(temperature, humidity);
  const band = heat === undefined ? undefined : thiBands.find((candidate) => candidate.band === thiBand(heat));
  return (
    <>
      {gear !== undefined && <span>{t("{gear} 档", { gear: number(gear) })}</span>}
      {heat !== undefined && band && (
        <span>{t("温湿指数 {value}，{band}", { value: number(heat), band: local(band.name) })}</span>
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
      <UnitVitals unit={unit} values={judged.assessment.values} histories={histories} target={target} />
      <UnitSection unit={unit} offline={offline} stale={judged.freshness === "stale"} />
      <div className="two">
        <div>
          <UnitHistory unit={unit} target={target} />
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
