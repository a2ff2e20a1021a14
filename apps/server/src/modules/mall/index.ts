export { mallRoutes } from "./mall.routes.ts";
export { createMallService } from "./mall.service.ts";
