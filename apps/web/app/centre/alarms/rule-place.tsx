import { type alarmRuleScopes, type DeviceKindId, devicePage, type FarmNode, farmTree } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { TranslatedOption } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";

export interface RulePlace {
  scope: (typeof alarmRuleScopes)[number];
  scopeId: string;
}

/** Of a kind's devices so many can be chosen one by one. */
const mostDevices = 500;

/** Places of the tenant at which rules can differ. */
export function useRulePlaces(kind: DeviceKindId | undefined) {
  const farms = useLoad("rule places", (signal) => call(farmTree, { signal, quiet: true }));
  const devices = useLoad(kind && `rule devices ${kind}`, (signal) =>
    call(devicePage, { query: { ...(kind && { kind }), bound: true, size: mostDevices }, signal, quiet: true }),
  );
  return { farms: farms.value ?? [], devices: devices.value?.records ?? [] };
}
type Places = ReturnType<typeof useRulePlaces>;

/** Name of a place; its id where it is gone. */
export function useRulePlaceName({ farms, devices }: Places): (place: RulePlace) => string {
  const t = useTranslate();
  return ({ scope, scopeId }) => {
    if (scope === "tenant") return t("全部");
    if (scope === "device") return devices.find(({ id }) => id === scopeId)?.name ?? scopeId;
    for (const farm of farms) {
      if (scope === "farm" && farm.id === scopeId) return farm.name;
      for (const house of farm.houses) {
        if (scope === "house" && house.id === scopeId) return `${farm.name} / ${house.name}`;
        const unit = scope === "unit" && house.units.find(({ id }) => id === scopeId);
        if (unit) return `${farm.name} / ${house.name} / ${unit.name}`;
      }
    }
    return scopeId;
  };
}

const optionsOf = (farm: FarmNode): { value: string; text: string }[] => [
  { value: `farm/${farm.id}`, text: farm.name },
  ...farm.houses.flatMap((house) => [
    { value: `house/${house.id}`, text: `${farm.name} / ${house.name}` },
    ...house.units.map((unit) => ({ value: `unit/${unit.id}`, text: `${farm.name} / ${house.name} / ${unit.name}` })),
  ]),
];

/** Chooses where a rule is to hold: everywhere, or at a farm, house, unit or device. */
export function RulePlaceSelect({
  id,
  places,
  value,
  onChange,
  without,
}: {
  id: string;
  places: Places;
  value: RulePlace;
  onChange: (place: RulePlace) => void;
  /** Places that can't be chosen. */
  without?: "tenant";
}) {
  const t = useTranslate();
  return (
    <select
      id={id}
      className="input"
      value={`${value.scope}/${value.scopeId}`}
      onChange={({ target }) => {
        const [scope = "tenant", scopeId = "0"] = target.value.split("/");
        onChange({ scope: scope as RulePlace["scope"], scopeId });
      }}
    >
      {without === undefined && <option value="tenant/0">{t("全部")}</option>}
      {places.farms.length > 0 && (
        <optgroup label={t("场区、栋舍、单元")}>
          {places.farms.flatMap(optionsOf).map(({ value: key, text }) => (
            <TranslatedOption key={key} value={key} text={text} />
          ))}
        </optgroup>
      )}
      {places.devices.length > 0 && (
        <optgroup label={t("设备")}>
          {places.devices.map((device) => (
            <TranslatedOption key={device.id} value={`device/${device.id}`} text={device.name} />
          ))}
        </optgroup>
      )}
    </select>
  );
}
