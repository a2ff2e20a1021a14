import { thi, thiBand, thiBands } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { AnalyticsCard } from "../kind/analytics-card.tsx";
import { DeviceCommands } from "../kind/device-commands.tsx";
import { DeviceFacts } from "../kind/device-facts.tsx";
import { HealthList } from "../kind/health-list.tsx";
import { type JudgedUnit, numberIn } from "../kind/judge.ts";
import { type KindView, type SettingsPreviewProps, type UnitBodyProps, useLocalText } from "../kind/kind-view.ts";
import { isSilent } from "../kind/unit-tile.tsx";
import { useHistories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { climateFacts, climateOf, deviationTint } from "./climate.ts";
import { ClimateSummary } from "./climate-summary.tsx";
import { CurvePreview } from "./curve-preview.tsx";
import { FanPreview } from "./fan-preview.tsx";
import { GearTable } from "./gear-table.tsx";
import { UnitHistory } from "./unit-history.tsx";
import { UnitModes } from "./unit-modes.tsx";
import { UnitSection } from "./unit-section.tsx";
import { UnitVitals } from "./unit-vitals.tsx";

const sparkKeys = ["rh", "nh3", "co2", "vent", "dp", "water", "t_out"] as const;
const dayMs = 86_400_000;

/** Share of the scale bar for a deviation: the middle is the target, the ends are 5 °C off. */
const scaleShare = (deviation: number): number => Math.min(98, Math.max(2, 50 + deviation * 10));

function TileBody({ judged }: { judged: JudgedUnit }) {
  const { number } = useFormats();
  const { temperature, deviation } = climateOf(judged.unit, judged);
  const silent = isSilent(judged);
  return (
    <>
      <span className="value">
        {silent || temperature === undefined ? (
          "—"
        ) : (
          <>
            {number(temperature, 1)}
            <small>℃</small>
          </>
        )}
      </span>
      {!silent && deviation !== undefined && (
        <svg className="deviation" viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0,4.5H100" />
          <path className="comfort" d="M40,4.5H60" />
          <path className="marker" d={`M${scaleShare(deviation)},0V9`} />
        </svg>
      )}
    </>
  );
}

function Scale() {
  const t = useTranslate();
  return (
    <span className="scale">
      {t("低 4 ℃")}
      <i aria-hidden="true" />
      {t("高 4 ℃，与目标之差")}
    </span>
  );
}

function UnitMeta({ unit }: { unit: UnitNow }) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const gear = numberIn(unit.readings, "gear");
  const temperature = numberIn(unit.readings, "t_in");
  const humidity = numberIn(unit.readings, "rh");
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
          <GearTable target={target} gear={numberIn(unit.readings, "gear")} />
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
          {controller && <AnalyticsCard deviceId={controller.deviceId} />}
          {controller && <DeviceFacts device={controller} title={t("控制器")} />}
        </div>
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
      temperature={numberIn(device.readings, "t_in")}
    />
  );
}

/** Environment control: the house in section, its climate against the target, and its gears. */
export const environmentView: KindView = {
  ...climateFacts,
  TileBody,
  tileAttributes(judged): Record<string, string> {
    const tint =
      isSilent(judged) || judged.state === "offline" ? "" : deviationTint(climateOf(judged.unit, judged).deviation);
    return tint ? { "data-h": tint } : {};
  },
  Summary: ClimateSummary,
  Scale,
  houseNote(first, t, { number }) {
    const { target } = climateOf(first.unit, first);
    return target === undefined ? undefined : t("目标 {target} ℃", { target: number(target, 1) });
  },
  columns: [
    { key: "t_in", name: "温度 ℃", decimals: 1 },
    { key: "rh", name: "湿度 %", decimals: 0 },
    { key: "nh3", name: "氨气 ppm", decimals: 1 },
    { key: "co2", name: "二氧化碳 ppm", decimals: 0 },
    { key: "gear", name: "档位", decimals: 0 },
  ],
  UnitMeta,
  UnitBody,
  ownControls: { mode: UnitModes },
  settingsPreviews: { fan: FanSettings, setting: CurvePreview },
  noDevice: {
    title: "没有环控器",
    text: "这个单元还没有绑定环控器，所以没有实时数值。绑定后，数值会自己出现在这里。",
  },
  offline: {
    title: "控制器离线",
    text: "下面是最后一次上报的数值，画面不再变化。舍内控制由现场控制器继续完成。",
  },
};
