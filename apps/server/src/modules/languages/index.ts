export { languageRepository } from "./language.repository.ts";
export { languageRoutes } from "./language.routes.ts";
export { createLanguageService } from "./language.service.ts";
