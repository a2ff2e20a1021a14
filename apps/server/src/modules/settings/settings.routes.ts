import { type PublicSettings, publicSettings, settingStates, settingSubmit, settingTry } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { SettingTrials } from "./setting-trials.ts";
import type { SettingsService } from "./settings.service.ts";

export function settingsRoutes(
  router: Router,
  {
    readPublic,
    settings,
    trials,
  }: { readPublic: () => Promise<PublicSettings>; settings: SettingsService; trials: SettingTrials },
): void {
  router.on(publicSettings, () => readPublic());
  router.on(settingStates, () => settings.states());
  router.on(settingSubmit, ({ scope, body }) => settings.submit(scope, body));
  router.on(settingTry, ({ body }) => trials.run(body));
}
