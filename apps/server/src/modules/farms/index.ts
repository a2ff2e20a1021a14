export { farmRepository, type UnitRow } from "./farm.repository.ts";
export { farmRoutes } from "./farm.routes.ts";
export { createFarmService, type FarmService, farmTreeOf } from "./farm.service.ts";
