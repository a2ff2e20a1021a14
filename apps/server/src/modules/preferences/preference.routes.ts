import { preferenceList, preferenceSubmit } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { PreferenceService } from "./preference.service.ts";

export function preferenceRoutes(router: Router, preferences: PreferenceService): void {
  router.on(preferenceList, ({ session }) => preferences.list(session));
  router.on(preferenceSubmit, async ({ session, body }) => {
    await preferences.submit(session, body.key, body.value);
    return {};
  });
}
