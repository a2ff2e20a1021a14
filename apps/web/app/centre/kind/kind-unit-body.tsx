import { useAddressValues } from "../../shared/address/use-address.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { KindFrame } from "./kind-frame.tsx";
import type { UnitPartProps } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";

/** A unit by its devices of a kind: the worst first unless the address chooses another. */
export function KindUnitBody(props: UnitPartProps) {
  const { unit, judged, offline } = props;
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const shown = judged.devices.find(({ device }) => device.deviceId === search.get("device")) ?? judged;
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
              onClick={() => change({ device: deviceId })}
            >
              <StateMark state={state} /> <Translated text={deviceName} />
            </button>
          ))}
        </fieldset>
      )}
      <KindFrame device={device} judged={shown} offline={offline} masked={unit.mode !== "normal"} ofUnit={props} />
    </>
  );
}
