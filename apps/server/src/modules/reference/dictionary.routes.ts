import { dictionary, dictionaryList } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { DictionaryService } from "./dictionary.service.ts";

export function dictionaryRoutes(router: Router, dictionaries: DictionaryService): void {
  router.on(dictionary, ({ query }) => dictionaries.values(query.code));
  router.on(dictionaryList, ({ query }) => dictionaries.tree(query.code, query.dictValue));
}
