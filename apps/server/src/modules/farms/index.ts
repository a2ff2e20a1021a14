import type { Platform, ServerModule } from "../../module.ts";
import { farmRepository } from "./farm.repository.ts";
import { farmRoutes } from "./farm.routes.ts";
import { createFarmService, type FarmService } from "./farm.service.ts";

export { type FarmService, farmTreeOf } from "./farm.service.ts";

export interface FarmsModule extends ServerModule {
  readonly service: FarmService;
}

export function createFarmsModule({ kysely }: Platform): FarmsModule {
  const farms = createFarmService(farmRepository(kysely));
  return { service: farms, routes: (router) => farmRoutes(router, farms) };
}
