import { farmTree, unitDetail } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { FarmService } from "./farm.service.ts";

export function farmRoutes(router: Router, farms: FarmService): void {
  router.on(farmTree, ({ session }) => farms.tree(session));
  router.on(unitDetail, ({ session, query }) => farms.unitDetail(session, query.id));
}
