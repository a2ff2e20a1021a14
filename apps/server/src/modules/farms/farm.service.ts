import { refuse } from "../../http/errors.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { FarmRepository, FarmRow, HouseRow, UnitRow } from "./farm.repository.ts";

interface HouseOfUnits<Unit> {
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

const publicFigures = systemScope("visitors see how many farms and heads there are in all, and nothing else");

export function createFarmService(repository: FarmRepository) {
  const tree = async (scope: TenantScope) => {
    const [farms, units] = await Promise.all([repository.farms(scope), repository.units(scope)]);
    return { farms, units };
  };
  return {
    async tree(scope: TenantScope): Promise<FarmOfHouses<UnitRow>[]> {
      const { farms, units } = await tree(scope);
      return farmTreeOf(farms, units);
    },
    /** Farms and units apart, for modules that add something to each unit before they build the tree. */
    places: tree,
    /** Farms and the figures of houses, for modules that choose what of it they list. */
    async houses(scope: TenantScope): Promise<{ farms: FarmRow[]; houses: HouseRow[] }> {
      const [farms, houses] = await Promise.all([repository.farms(scope), repository.houses(scope)]);
      return { farms, houses };
    },
    units: repository.units,
    async unitOverview(scope: TenantScope, id: string) {
      const [unit] = await repository.units(scope, { unitId: id });
      if (unit === undefined) throw refuse("unit.not_found");
      const [neighbours, deviceId] = await Promise.all([
        repository.neighbours(scope, unit),
        repository.environmentDeviceId(scope, id),
      ]);
      return { ...unit, ...neighbours, environmentDeviceId: deviceId ?? "" };
    },
    totals: () => repository.totals(publicFigures),
  };
}
export type FarmService = ReturnType<typeof createFarmService>;
