export { dictionaryRepository } from "./dictionary.repository.ts";
export { dictionaryRoutes } from "./dictionary.routes.ts";
export { createDictionaryService } from "./dictionary.service.ts";
