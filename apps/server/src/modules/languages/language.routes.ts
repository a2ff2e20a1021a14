import { correctionPage, correctionRemove, correctionSubmit, termList, translate } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { LanguageService } from "./language.service.ts";

export function languageRoutes(router: Router, languages: LanguageService): void {
  router.on(translate, async ({ body, remoteAddress }) => ({
    data: await languages.translate(body.src, body.to, remoteAddress),
  }));
  router.on(correctionPage, ({ query }) => languages.page(query));
  router.on(correctionSubmit, async ({ body }) => {
    await languages.correct(body.source, body.language, body.translation);
    return {};
  });
  router.on(correctionRemove, async ({ body }) => {
    await languages.forget(body.source, body.language);
    return {};
  });
  router.on(termList, async () => languages.terms());
}
