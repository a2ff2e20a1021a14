import { permissionOf, productServices, siteForms } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { CaptchaService } from "../captchas/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { SettingsService } from "../settings/index.ts";
import { siteFormRepository } from "./site-form.repository.ts";
import { siteFormRoutes } from "./site-form.routes.ts";
import { createSiteFormService, siteFormHooks } from "./site-form.service.ts";

const deskOf = systemScope("forms that visitors sent are told to the group's desk");

export interface SiteFormsDependencies {
  requireCaptcha: CaptchaService["requireCaptcha"];
  holdersOf: HoldersOf;
  /** How long the sender of a form is kept. */
  settings: Pick<SettingsService, "numbers">;
  /** Tenant of the group, whose people are the desk. */
  groupTenantId: string;
}

/** Forms of the public site and the services that they may be for. */
export function createSiteFormsModules(
  context: ResourceContext,
  { requireCaptcha, holdersOf, settings, groupTenantId }: SiteFormsDependencies,
): ServerModule[] {
  const { kysely, nextId, now, bus, inTransaction, personalCipher: cipher, store } = context.platform;
  const forms = createSiteFormService({
    repository: siteFormRepository(kysely),
    inOne: inTransaction((db) => {
      const messages = messageRepository(db);
      return {
        forms: siteFormRepository(db),
        audit: auditRepository(db),
        tell: async (accountId: string, title: string, content: string, link: string) => {
          await messages.insert(accountScope(deskOf, accountId), {
            id: nextId(),
            kind: "service",
            title,
            content,
            link,
          });
        },
      };
    }),
    deskPeople: () => holdersOf(deskOf, groupTenantId, permissionOf(siteForms, "edit")),
    cipher,
    store,
    nextId,
    now,
  });
  return [
    resourceModule(context, productServices, { hooks: { changed: () => bus.publish("contentChanged", {}) } }),
    resourceModule(context, siteForms, { hooks: siteFormHooks }),
    {
      routes: (router) => siteFormRoutes(router, forms, { requireCaptcha }),
      jobs: [
        {
          name: "site-forms.forget",
          schedule: "40 3 * * *",
          retries: 0,
          timeoutS: 120,
          run: async () => {
            await forms.forget((await settings.numbers(["retention.formDays"]))["retention.formDays"]);
          },
        },
      ],
    },
  ];
}
