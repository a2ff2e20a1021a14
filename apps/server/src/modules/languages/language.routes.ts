import { translate } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { LanguageService } from "./language.service.ts";

export function languageRoutes(router: Router, languages: LanguageService): void {
  router.on(translate, async ({ body, remoteAddress }) => ({
    data: await languages.translate(body.src, body.to, remoteAddress),
  }));
}
