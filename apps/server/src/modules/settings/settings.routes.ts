import { type PublicSettings, publicSettings } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";

export function settingsRoutes(router: Router, read: () => PublicSettings): void {
  router.on(publicSettings, async () => read());
}
