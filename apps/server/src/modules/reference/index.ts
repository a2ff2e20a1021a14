import { businessDictionaries, dictionaryEntries, parameters } from "@herdwise/contract";
import { isSettingKey, settingOf } from "@herdwise/contract/setting-declarations";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, type ResourceHooks, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import { settingRefusal } from "../settings/index.ts";
import { businessDictionaryRepository, dictionaryRepository } from "./dictionary.repository.ts";
import { dictionaryRoutes } from "./dictionary.routes.ts";
import { createDictionaryService } from "./dictionary.service.ts";
import { regionRepository } from "./region.repository.ts";
import { regionRoutes } from "./region.routes.ts";
import { createRegionService } from "./region.service.ts";

/** Values of one code. */
const maxValues = 10_000;

const dictionaryHooks: ResourceHooks = {
  taken: "dict.taken",
  // A value carries the code that it stands below (wire.md 3.8), whatever the form says.
  async beforeSave({ values, parentId, held, rows, scope }) {
    if (parentId !== null) {
      const [parent] = await rows.byIds(scope, [parentId]);
      values.code = parent?.code;
      return;
    }
    values.dictKey = "-1";
    if (held === undefined || held.code === values.code) return;
    const below = await rows.idsOf(scope, [{ kind: "parent", parentId: held.id }], maxValues);
    await rows.updateMany(scope, below, { code: values.code });
  },
};

/** Dictionaries, to choose from and to keep, divisions of the country, and the parameters of the installation. */
export function createReferenceModules(context: ResourceContext): ServerModule[] {
  const { kysely, inTransaction, nextId } = context.platform;
  const installation = resourceModule(context, dictionaryEntries, { hooks: dictionaryHooks });
  const business = resourceModule(context, businessDictionaries, { hooks: dictionaryHooks });
  const all = dictionaryRepository(kysely);
  const ofTenant = businessDictionaryRepository(kysely);
  const regions = createRegionService({
    regions: regionRepository(kysely),
    inTransaction: inTransaction((db) => ({ regions: regionRepository(db), audit: auditRepository(db) })),
    nextId,
  });
  return [
    {
      routes(router) {
        dictionaryRoutes(
          router,
          createDictionaryService((_scope: undefined, code) => all.rows(code), installation.service),
          createDictionaryService(ofTenant.rows, business.service),
        );
        regionRoutes(router, regions, context.files);
      },
    },
    installation,
    business,
    resourceModule(context, parameters, {
      hooks: {
        // A setting that the portal reads takes only what it can work with.
        async beforeSave({ values }) {
          const key = String(values.paramKey);
          if (!isSettingKey(key)) return;
          const { secret, fixed, env = "" } = settingOf(key);
          if (secret) throw refuse("param.secret", { field: "paramKey" });
          if (fixed) throw refuse("setting.locked", { field: "paramKey", values: { variable: env } });
          const refusal = settingRefusal(key, String(values.paramValue));
          if (refusal) throw refuse(refusal.reason, { field: "paramValue", values: refusal.values });
        },
        changed: () => context.platform.bus.publish("settingsChanged", {}),
      },
    }),
  ];
}
