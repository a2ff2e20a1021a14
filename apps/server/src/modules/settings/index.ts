import type { Platform, ServerModule } from "../../module.ts";
import { settingsRepository } from "./settings.repository.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

export { numberSettings, settingProblem } from "./number-settings.ts";
export type { SettingsService } from "./settings.service.ts";

export interface SettingsModule extends ServerModule {
  readonly service: SettingsService;
}

export function createSettingsModule({ config, kysely }: Platform): SettingsModule {
  return {
    service: createSettingsService(settingsRepository(kysely)),
    routes: (router) =>
      settingsRoutes(router, () => ({
        brandName: config.brandName,
        companySuffix: config.companySuffix,
        icpNumber: config.icpNumber,
        policeNumber: config.policeNumber,
        mallUrl: config.mallUrl ?? "",
        demo: config.demo,
      })),
  };
}
