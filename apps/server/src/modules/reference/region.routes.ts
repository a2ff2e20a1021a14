import { regionLazyTree, regionNames } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { RegionService } from "./region.service.ts";

export function regionRoutes(router: Router, regions: RegionService): void {
  router.on(regionLazyTree, ({ query }) => regions.below(query.parentCode));
  router.on(regionNames, ({ query }) => regions.names(query.codes));
}
