import type { KindFarm } from "@herdwise/contract";
import { type PlacedUnit, placeState } from "@herdwise/device-kinds";
import { useState } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { FarmMap } from "./farm-map.tsx";
import { stateOfCounts, unitCount, unlistedIn } from "./place-figures.ts";
import { StateDot } from "./state-dot.tsx";

interface PlaceProps {
  farms: readonly KindFarm[];
  place: string | undefined;
  onChoose: (place: string | undefined) => void;
}

const houseCount = (farm: KindFarm): number => farm.houses.reduce((sum, house) => sum + unitCount(house), 0);

/** Farms and houses at the side; choosing one narrows the page to it. */
export function PlaceTree({ farms, place, onChoose, units }: PlaceProps & { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const [word, setWord] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  // What was entered and what is shown both count.
  const has = (name: string): boolean => `${name}\n${nameOf(name)}`.toLowerCase().includes(word.toLowerCase());
  const matching = farms.filter(
    ({ name, houses }) => word === "" || has(name) || houses.some((house) => has(house.name)),
  );
  const toggle = (id: string): void => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const worst = (id: string) =>
    placeState([
      ...units.filter(({ farm, house }) => farm.id === id || house.id === id),
      ...unlistedIn(farms, id).map(({ counts }) => ({ state: stateOfCounts(counts) })),
    ]);
  return (
    <aside className="card left" aria-label={t("场区")}>
      <FarmMap farms={farms} place={place} worst={worst} onChoose={onChoose} />
      <div className="tree-search">
        <input
          className="input"
          type="search"
          aria-label={t("筛选场区")}
          placeholder={t("筛选场区")}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      </div>
      <ul className="tree">
        <li>
          <button type="button" aria-pressed={place === undefined} onClick={() => onChoose(undefined)}>
            <Icon name="farm" small />
            <span>{t("全部场区")}</span>
            <em>{farms.reduce((sum, farm) => sum + houseCount(farm), 0)}</em>
          </button>
        </li>
        {matching.map((farm) => (
          <li key={farm.id}>
            <div className="tree-row">
              <button
                type="button"
                className="twist"
                aria-expanded={!closed.has(farm.id)}
                aria-label={t("展开或收起 {name}", { name: nameOf(farm.name) })}
                onClick={() => toggle(farm.id)}
              >
                <Icon name="right" small />
              </button>
              <button
                type="button"
                aria-pressed={place === farm.id}
                onClick={() => onChoose(place === farm.id ? undefined : farm.id)}
              >
                <span>
                  <Translated text={farm.name} />
                </span>
                <StateDot state={worst(farm.id)} />
                <em>{houseCount(farm)}</em>
              </button>
            </div>
            {!closed.has(farm.id) && (
              <ul>
                {farm.houses.map((house) => (
                  <li key={house.id}>
                    <button
                      type="button"
                      aria-pressed={place === house.id}
                      onClick={() => onChoose(place === house.id ? farm.id : house.id)}
                    >
                      <span>
                        <Translated text={house.name} />
                      </span>
                      <StateDot state={worst(house.id)} />
                      <em>{unitCount(house)}</em>
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** The same choice as one picker, where there is no room for a tree. */
export function PlaceSelect({ farms, place, onChoose }: PlaceProps) {
  const t = useTranslate();
  const nameOf = useNames();
  return (
    <select
      className="input fsel"
      aria-label={t("场区")}
      value={place ?? ""}
      onChange={(event) => onChoose(event.target.value || undefined)}
    >
      <option value="">{t("全部场区，{count} 个", { count: farms.length })}</option>
      {farms.map((farm) => (
        <optgroup key={farm.id} label={nameOf(farm.name)}>
          <option value={farm.id}>{nameOf(farm.name)}</option>
          {farm.houses.map((house) => (
            <option key={house.id} value={house.id}>
              {nameOf(farm.name)} · {nameOf(house.name)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
