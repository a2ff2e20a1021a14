import type { Platform, ServerModule } from "../../module.ts";
import { settingsRoutes } from "./settings.routes.ts";

export function createSettingsModule({ config }: Platform): ServerModule {
  return {
    routes: (router) =>
      settingsRoutes(router, () => ({
        brandName: config.brandName,
        companySuffix: config.companySuffix,
        mallUrl: config.mallUrl ?? "",
        demo: config.demo,
      })),
  };
}
