import { type PigstyType, pigstyTypes, type UnitMode, unitModes } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import type { PlacedUnit } from "@herdwise/device-kinds";
import { useAddressValues } from "../../shared/address/use-address.ts";

/** What the overview shows; all of it lives in the address, so that it survives reload and can be sent to a colleague. */
export interface OverviewFilter {
  word: string;
  states: readonly UnitState[];
  pigsty: PigstyType | undefined;
  mode: UnitMode | undefined;
  /** Id of a farm or a house. */
  place: string | undefined;
  view: "board" | "list";
}

const known = <Value extends string>(value: string | null, allowed: readonly Value[]): Value | undefined =>
  allowed.find((candidate) => candidate === value);

const filterable = ["critical", "major", "minor", "notice", "offline"] as const satisfies readonly UnitState[];
export const filterableStates: readonly UnitState[] = filterable;

/** Reads the filter out of an address. Unknown values are as good as none. */
function readFilter(search: URLSearchParams): OverviewFilter {
  return {
    word: search.get("q") ?? "",
    states: (search.get("state") ?? "").split(",").flatMap((state) => known(state, filterable) ?? []),
    pigsty: known(search.get("pigsty"), pigstyTypes),
    mode: known(search.get("mode"), unitModes),
    place: search.get("place") ?? undefined,
    view: search.get("view") === "list" ? "list" : "board",
  };
}

/** The filter of this page and its setter; changing it replaces the entry, so that "back" leaves the page. */
export function useOverviewFilter(): [OverviewFilter, (change: Record<string, string | undefined>) => void] {
  const [search, change] = useAddressValues();
  return [readFilter(search), change];
}

/** Units inside the chosen farm or house. */
export const inPlace = (units: readonly PlacedUnit[], place: string | undefined): PlacedUnit[] =>
  place === undefined ? [...units] : units.filter(({ farm, house }) => farm.id === place || house.id === place);

/** Whether names hold every word that was typed; none was typed: all do. */
export function holdsWords(typed: string, names: readonly string[]): boolean {
  const text = names.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Units that pass everything but the states; the state chips count these. */
export const passing = (units: readonly PlacedUnit[], filter: OverviewFilter): PlacedUnit[] =>
  inPlace(units, filter.place).filter(
    ({ farm, house, unit }) =>
      holdsWords(filter.word, [farm.name, house.name, unit.name]) &&
      (filter.pigsty === undefined || unit.pigstyType === filter.pigsty) &&
      (filter.mode === undefined || unit.mode === filter.mode),
  );
