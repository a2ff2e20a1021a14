import { farms as farmResource, pigCategoryNames, pigHouses, units } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import { farmRepository } from "./farm.repository.ts";
import { farmRoutes } from "./farm.routes.ts";
import { createFarmService, type FarmService } from "./farm.service.ts";
import { inventoryRepository } from "./inventory.repository.ts";
import { createInventoryService } from "./inventory.service.ts";
import { type MovedKind, type StructureRepository, structureRepository } from "./structure.repository.ts";
import { createStructureService, placeHooks } from "./structure.service.ts";
import { treeSheetRepository } from "./tree-sheet.repository.ts";
import { createTreeSheet } from "./tree-sheet.service.ts";

export type { UnitRow } from "./farm.repository.ts";
export { type FarmOfHouses, type FarmService, farmTreeOf } from "./farm.service.ts";

/** Screens on which obstacles are looked at. */
const screens = {
  devices: "/selfCenter/equipmentManage/allDevices",
  structure: "/selfCenter/pigFarmArchitecture/factoryManagement",
} as const;

/** Reads of farms that other modules build on. */
export const createFarmsReading = ({ kysely }: Platform): FarmService => createFarmService(farmRepository(kysely));

/** Farms, houses and units: what they are, how they stand, and the heads in them. */
export function createFarmsModules(context: ResourceContext, service: FarmService): ServerModule[] {
  const { platform, jobs, files } = context;
  const { kysely, now, nextId } = platform;
  const structure = createStructureService({
    repository: structureRepository(kysely),
    inTransaction: platform.inTransaction((db) => ({ structure: structureRepository(db), audit: auditRepository(db) })),
    nextId,
  });
  const inventory = createInventoryService({
    repository: inventoryRepository(kysely),
    inTransaction: platform.inTransaction((db) => ({ inventory: inventoryRepository(db), audit: auditRepository(db) })),
    jobs,
    files,
    categoryNames: new Map(pigCategoryNames),
    now,
    nextId,
  });
  const place = (kind: MovedKind) => ({ extra: structureRepository, hooks: placeHooks(kind, screens) });
  const places = {
    farm: resourceModule<StructureRepository>(context, farmResource, place("farm")),
    house: resourceModule<StructureRepository>(context, pigHouses, place("house")),
    unit: resourceModule<StructureRepository>(context, units, place("unit")),
  };
  const treeSheet = createTreeSheet({
    repository: treeSheetRepository(kysely),
    inTransaction: platform.inTransaction((db) => ({
      tree: treeSheetRepository(db),
      services: {
        farm: places.farm.serviceIn(db),
        house: places.house.serviceIn(db),
        unit: places.unit.serviceIn(db),
      },
    })),
    jobs,
    files,
  });
  return [
    ...Object.values(places),
    {
      routes: (router) => farmRoutes(router, { farms: service, structure, inventory, treeSheet }),
      jobs: [jobs.define(inventory.job), jobs.define(treeSheet.job)],
    },
  ];
}
