import { notFound } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { FarmRepository, FarmRow, UnitRow } from "./farm.repository.ts";

export interface HouseOfUnits<Unit> {
  id: string;
  name: string;
  pigstyType: UnitRow["pigstyType"];
  units: Unit[];
}

export interface FarmOfHouses<Unit> extends FarmRow {
  houses: HouseOfUnits<Unit>[];
}

/** Puts units, which come in display order, below their houses and farms. */
export function farmTreeOf<Unit extends UnitRow>(
  farms: readonly FarmRow[],
  units: readonly Unit[],
): FarmOfHouses<Unit>[] {
  const tree = new Map<string, FarmOfHouses<Unit>>(farms.map((farm) => [farm.id, { ...farm, houses: [] }]));
  for (const unit of units) {
    const farm = tree.get(unit.farmId);
    if (farm === undefined) continue;
    let house = farm.houses.find(({ id }) => id === unit.houseId);
    if (house === undefined) {
      house = { id: unit.houseId, name: unit.houseName, pigstyType: unit.housePigstyType, units: [] };
      farm.houses.push(house);
    }
    house.units.push(unit);
  }
  return [...tree.values()];
}

export function createFarmService(repository: FarmRepository) {
  const tree = async (session: Session) => {
    const [farms, units] = await Promise.all([repository.farms(session.tenantId), repository.units(session.tenantId)]);
    return { farms, units };
  };
  return {
    async tree(session: Session): Promise<FarmOfHouses<UnitRow>[]> {
      const { farms, units } = await tree(session);
      return farmTreeOf(farms, units);
    },
    /** Farms and units apart, for modules that add something to each unit before they build the tree. */
    places: tree,
    async unitDetail(session: Session, id: string) {
      const units = await repository.units(session.tenantId);
      const at = units.findIndex((unit) => unit.id === id);
      const unit = units[at];
      if (unit === undefined) throw notFound("unit.not_found");
      const neighbour = (row: UnitRow | undefined) => (row?.farmId === unit.farmId ? row.id : "");
      return {
        ...unit,
        previousUnitId: neighbour(units[at - 1]),
        nextUnitId: neighbour(units[at + 1]),
        environmentDeviceId: (await repository.environmentDeviceId(session.tenantId, id)) ?? "",
      };
    },
    totals: () => repository.totals(),
  };
}
export type FarmService = ReturnType<typeof createFarmService>;
