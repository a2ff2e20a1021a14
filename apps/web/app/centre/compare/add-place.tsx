import { type Device, devicePage, kindOverview } from "@herdwise/contract";
import type { DeviceKind } from "@herdwise/device-kinds";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { shortName } from "../farms/short-name.ts";
import type { ComparedLine } from "./use-comparison.ts";

/** Devices that one list offers; a word narrows more of them. */
const mostOffered = 100;

type Named = Pick<ComparedLine, "farmName" | "houseName" | "unitName" | "deviceName">;

/** A place in few words: a farm or house by its name, a device by its unit, else by itself, without its farm. */
export function usePlaceWords(): (place: Named) => string {
  const nameOf = useNames();
  return ({ farmName, houseName, unitName, deviceName }) => {
    const farm = nameOf(farmName);
    const house = shortName(nameOf(houseName), [farm]);
    if (deviceName === "") return houseName === "" ? farm : house;
    return unitName === "" ? shortName(nameOf(deviceName), [farm]) : [house, nameOf(unitName)].join(" ");
  };
}

/** Adds a farm, a house or a device of the kind. A word narrows the devices, where there are more than it holds. */
export function AddPlace({
  kind,
  taken,
  onAdd,
}: {
  kind: DeviceKind;
  taken: readonly string[];
  onAdd: (id: string) => void;
}) {
  const t = useTranslate();
  const words = usePlaceWords();
  const nameOf = useNames();
  const [word, setWord] = useState("");
  const found = useLoad(`compare devices ${kind.kind} ${word}`, (signal) =>
    call(devicePage, {
      query: { kind: kind.kind, bound: true, size: mostOffered, ...(word && { name: word }) },
      signal,
      quiet: true,
    }),
  );
  const tree = useLoad(`compare places ${kind.kind}`, (signal) =>
    call(kindOverview, { query: { kind: kind.kind }, signal, quiet: true }),
  );
  const byFarm = Map.groupBy(
    (found.value?.records ?? []).filter(({ id }) => !taken.includes(id)),
    ({ farmName }: Device) => farmName,
  );
  const places = (tree.value ?? [])
    .flatMap(({ id, name, houses }) => [
      { id: `f${id}`, name: nameOf(name) },
      ...houses
        .filter(({ units, unlisted }) => (unlisted?.devices ?? 0) > 0 || units.some(({ deviceId }) => deviceId !== ""))
        .map((house) => ({ id: `h${house.id}`, name: `　${shortName(nameOf(house.name), [nameOf(name)])}` })),
    ])
    .filter(({ id }) => !taken.includes(id));
  const failed = [found, tree].find(({ error, value }) => error && !value);
  if (failed?.error) return <LoadingProblem error={failed.error} onRetry={failed.reload} what={t("设备")} />;
  return (
    <>
      {((found.value?.total ?? 0) > mostOffered || word !== "") && (
        <SearchInput label={t("查找设备")} value={word} onChange={setWord} />
      )}
      <select
        className="chip"
        aria-label={t("加一个场区、栋、单元或设备")}
        value=""
        onChange={({ target }) => target.value && onAdd(target.value)}
      >
        <option value="">{t("加一个场区、栋、单元或设备")}</option>
        <optgroup label={t("场区和栋")}>
          {places.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
        {[...byFarm].map(([farmName, devices]) => (
          <optgroup key={farmName} label={nameOf(farmName)}>
            {devices.map((device) => (
              <option key={device.id} value={device.id}>
                {words({ ...device, deviceName: device.name })}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </>
  );
}
