import type { Platform, ServerModule } from "../../module.ts";
import { preferenceRepository } from "./preference.repository.ts";
import { preferenceRoutes } from "./preference.routes.ts";
import { createPreferenceService } from "./preference.service.ts";

export function createPreferencesModule({ kysely }: Platform): ServerModule {
  const preferences = createPreferenceService(preferenceRepository(kysely));
  return { routes: (router) => preferenceRoutes(router, preferences) };
}
