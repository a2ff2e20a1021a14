import { farmTree, unitDetail } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { FarmService } from "./farm.service.ts";

export function farmRoutes(router: Router, farms: FarmService): void {
  router.on(farmTree, ({ scope }) => farms.tree(scope));
  router.on(unitDetail, ({ scope, query }) => farms.unitDetail(scope, query.id));
}
