import {
  businessDictionary,
  businessDictionaryBelow,
  businessDictionaryCodes,
  businessDictionaryCodeTree,
  businessDictionaryList,
  businessDictionaryTree,
  dictionary,
  dictionaryBelow,
  dictionaryCodes,
  dictionaryCodeTree,
  dictionaryList,
  dictionaryTree,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { createDictionaryService } from "./dictionary.service.ts";

type Dictionaries<Scope> = ReturnType<typeof createDictionaryService<Scope>>;

/** @param installation dictionaries that everybody chooses from @param business those of a tenant */
export function dictionaryRoutes(
  router: Router,
  installation: Dictionaries<undefined>,
  business: Dictionaries<TenantScope>,
): void {
  router.on(dictionary, ({ query }) => installation.values(undefined, query.code));
  router.on(dictionaryList, ({ query }) => installation.tree(undefined, query.code, query.dictValue));
  router.on(dictionaryTree, ({ query }) => installation.valueTree(undefined, query.code));
  router.on(dictionaryCodes, ({ scope, query }) => installation.codes(scope, query));
  router.on(dictionaryBelow, ({ scope, query }) => installation.valuesBelow(scope, query));
  router.on(dictionaryCodeTree, ({ scope }) => installation.codeTree(scope));
  router.on(businessDictionary, ({ scope, query }) => business.values(scope, query.code));
  router.on(businessDictionaryList, ({ scope, query }) => business.tree(scope, query.code, query.dictValue));
  router.on(businessDictionaryTree, ({ scope, query }) => business.valueTree(scope, query.code));
  router.on(businessDictionaryCodes, ({ scope, query }) => business.codes(scope, query));
  router.on(businessDictionaryBelow, ({ scope, query }) => business.valuesBelow(scope, query));
  router.on(businessDictionaryCodeTree, ({ scope }) => business.codeTree(scope));
}
