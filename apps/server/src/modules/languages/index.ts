import type { Platform, ServerModule } from "../../module.ts";
import { translatorOf } from "../../providers/translation/translator.ts";
import { readRegions } from "../../regions.ts";
import type { HeldSettings } from "../settings/index.ts";
import { languageRepository } from "./language.repository.ts";
import { languageRoutes } from "./language.routes.ts";
import { createLanguageService, type LanguageService } from "./language.service.ts";
import { placeNames } from "./places.ts";

export { termsWith } from "./glossary.ts";
export { proposedLines, translateBody, translateText } from "./text-translation.ts";

export interface LanguagesModule extends ServerModule {
  readonly translate: LanguageService["translate"];
  readonly known: LanguageService["known"];
}

export function createLanguagesModule({ kysely, store, warn }: Platform, settings: HeldSettings): LanguagesModule {
  const languages = createLanguageService({
    repository: languageRepository(kysely),
    store,
    translator: () => translatorOf(settings.translation()),
    charactersPerDay: () => settings.number("translation.charactersPerDay"),
    placeName: placeNames(readRegions()),
    onError: warn("the translation service failed"),
  });
  return {
    translate: languages.translate,
    known: languages.known,
    routes: (router) => languageRoutes(router, languages),
  };
}
