import type { HealthFinding } from "@herdwise/contract";
import type { Config } from "../../config.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { appVersion } from "../../version.ts";
import { type HeldSettings, withServices } from "../settings/index.ts";
import { createFigures } from "./figures.service.ts";
import { healthRepository } from "./health.repository.ts";
import { healthRoutes } from "./health.routes.ts";
import { createHealthService } from "./health.service.ts";
import { settingChecks } from "./judge.ts";
import { createSlowStatements } from "./slow-statements.ts";

export { healthRepository } from "./health.repository.ts";
export { examine, type HealthSurroundings } from "./health.service.ts";
export { configFindings } from "./judge.ts";
export type { Room } from "./probes.ts";

/** What the settings alone tell, before anything runs. */
export const settingFindings = (config: Config): HealthFinding[] =>
  settingChecks({ config, nodeVersion: process.versions.node, appVersion });

/** What the checks of the installation find, for administrators. */
export function createHealthModule(
  { config, kysely, now, metrics, statements, serverId }: Platform,
  { settings }: { settings: HeldSettings },
): ServerModule {
  const repository = healthRepository(kysely);
  const scope = systemScope("the checks count the administrators and notices of the whole installation");
  metrics.beforeRead(createFigures({ config, metrics, scope, now, repository }).refresh);
  const health = createHealthService({
    get config() {
      return withServices(config, settings);
    },
    scope,
    now,
    database: repository,
    isServer: true,
  });
  return { routes: (router) => healthRoutes(router, health, createSlowStatements(statements, serverId)) };
}
