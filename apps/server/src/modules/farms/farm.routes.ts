import {
  farmTree,
  inventoryDetail,
  inventoryExport,
  inventoryHistory,
  inventoryPage,
  inventorySubmit,
  structureExport,
  structureImport,
  structureList,
  structureMove,
  structureSearch,
  unitOverview,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import { submitKeyOf } from "../../resources/index.ts";
import type { FarmService } from "./farm.service.ts";
import type { InventoryService } from "./inventory.service.ts";
import type { StructureService } from "./structure.service.ts";
import type { TreeSheet } from "./tree-sheet.service.ts";

export interface FarmServices {
  farms: FarmService;
  structure: StructureService;
  inventory: InventoryService;
  treeSheet: TreeSheet;
}

export function farmRoutes(router: Router, { farms, structure, inventory, treeSheet }: FarmServices): void {
  router.on(farmTree, ({ scope }) => farms.tree(scope));
  router.on(unitOverview, ({ scope, query }) => farms.unitOverview(scope, query.id));
  router.on(structureList, ({ scope, query }) => structure.list(scope, query));
  router.on(structureSearch, ({ scope, query }) => structure.search(scope, query.keyword));
  router.on(structureMove, async ({ scope, body }) => {
    await structure.move(scope, body);
    return {};
  });
  router.on(structureExport, ({ scope }) => treeSheet.export(scope));
  router.on(structureImport, ({ scope, body }) => treeSheet.import(scope, body.attachId));
  router.on(inventoryDetail, ({ scope, query }) => inventory.detail(scope, query.unitId));
  router.on(inventoryPage, ({ scope, query }) => inventory.page(scope, query));
  router.on(inventoryHistory, ({ scope, query }) => inventory.history(scope, query));
  router.on(inventorySubmit, ({ scope, body, header }) => inventory.submit(scope, body, submitKeyOf(header)));
  router.on(inventoryExport, ({ scope, body }) => inventory.export(scope, body));
}
