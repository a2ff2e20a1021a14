import { useState } from "react";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { AnalyticsCard } from "./analytics-card.tsx";
import { DeviceCommands } from "./device-commands.tsx";
import { DeviceEvents } from "./device-events.tsx";
import { DeviceFacts } from "./device-facts.tsx";
import { DeviceParts } from "./device-parts.tsx";
import { Figures } from "./figures.tsx";
import { HealthList } from "./health-list.tsx";
import { KindHistory } from "./kind-history.tsx";
import { type UnitBodyProps, useKind } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";

/** A unit by its devices of a kind: the worst first, each with its figures, and of the chosen one its day and its events. */
export function KindUnitBody({ unit, judged, offline }: UnitBodyProps) {
  const t = useTranslate();
  const view = useKind();
  const { kind } = view;
  const [chosen, setChosen] = useState<string>();
  const shown = judged.devices.find(({ device }) => device.deviceId === chosen) ?? judged;
  const device = unit.devices.find(({ deviceId }) => deviceId === shown.device.deviceId);
  if (!device) return null;
  return (
    <>
      {judged.devices.length > 1 && (
        <fieldset className="seg of-devices">
          <legend className="visually-hidden">{t("设备")}</legend>
          {judged.devices.map(({ device: { deviceId, deviceName }, state }) => (
            <button
              key={deviceId}
              type="button"
              aria-pressed={deviceId === device.deviceId}
              onClick={() => setChosen(deviceId)}
            >
              <StateMark state={state} /> <Translated text={deviceName} />
            </button>
          ))}
        </fieldset>
      )}
      <Figures device={device} judged={shown} />
      {view.Drawing && <view.Drawing device={device} judged={shown} />}
      <div className={kind.pages?.parts ? "two parted" : "two"}>
        <div>
          <DeviceParts device={device} judged={shown} wide />
          <KindHistory judged={shown} />
          <DeviceEvents device={device} />
        </div>
        <div>
          <DeviceParts device={device} judged={shown} />
          <DeviceCommands
            deviceId={device.deviceId}
            deviceName={device.name}
            offline={!device.connected && device.status !== "online"}
          />
          <HealthList problems={shown.problems} masked={unit.mode !== "normal"} offline={offline} />
          <DeviceFacts device={device} title={t("设备信息")} />
        </div>
        <AnalyticsCard deviceId={device.deviceId} />
      </div>
    </>
  );
}
