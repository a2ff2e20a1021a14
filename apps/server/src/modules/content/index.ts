import type { Platform, ServerModule } from "../../module.ts";
import { contentRoutes } from "./content.routes.ts";
import { createFiguresService, type FiguresDependencies } from "./figures.service.ts";

export function createContentModule(
  { now }: Platform,
  dependencies: Pick<FiguresDependencies, "devices" | "farms" | "valuesLastDay">,
): ServerModule {
  const figures = createFiguresService({ ...dependencies, now });
  return { routes: (router) => contentRoutes(router, figures) };
}
