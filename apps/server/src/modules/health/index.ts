import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { healthRepository } from "./health.repository.ts";
import { healthRoutes } from "./health.routes.ts";
import { createHealthService } from "./health.service.ts";

export { healthRepository } from "./health.repository.ts";
export { examine, type HealthSurroundings } from "./health.service.ts";
export { configFindings, worstFirst } from "./judge.ts";
export type { Room } from "./probes.ts";

/** What the checks of the installation find, for administrators. */
export function createHealthModule({ config, kysely, now }: Platform): ServerModule {
  const health = createHealthService({
    config,
    scope: systemScope("the checks count the administrators of the whole installation"),
    now,
    database: healthRepository(kysely),
    isServer: true,
  });
  return { routes: (router) => healthRoutes(router, health) };
}
