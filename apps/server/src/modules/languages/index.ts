import type { Config } from "../../config.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { baiduTranslator, libreTranslator } from "../../providers/translation/translator.ts";
import { readRegions } from "../../regions.ts";
import { languageRepository } from "./language.repository.ts";
import { languageRoutes } from "./language.routes.ts";
import { createLanguageService, type LanguageService } from "./language.service.ts";
import { placeNames } from "./places.ts";

export { proposedLines, translateBody, translateText } from "./text-translation.ts";

function translatorOf({ translation }: Config) {
  switch (translation?.provider) {
    case "baidu":
      return baiduTranslator(translation.appId, translation.key);
    case "libretranslate":
      return libreTranslator(translation.url, translation.apiKey);
    default:
      return undefined;
  }
}

export interface LanguagesModule extends ServerModule {
  readonly translate: LanguageService["translate"];
  readonly known: LanguageService["known"];
}

export function createLanguagesModule({ config, kysely, store, warn }: Platform): LanguagesModule {
  const languages = createLanguageService({
    repository: languageRepository(kysely),
    store,
    translator: translatorOf(config),
    charactersPerDay: config.translationCharactersPerDay,
    placeName: placeNames(readRegions()),
    onError: warn("the translation service failed"),
  });
  return {
    translate: languages.translate,
    known: languages.known,
    routes: (router) => languageRoutes(router, languages),
  };
}
