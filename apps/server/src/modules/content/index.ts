export { contentRoutes } from "./content.routes.ts";
export { createFiguresService } from "./figures.service.ts";
