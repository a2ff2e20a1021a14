export { accessRepository } from "./access.repository.ts";
export { accessRoutes } from "./access.routes.ts";
export { createAccessService } from "./access.service.ts";
