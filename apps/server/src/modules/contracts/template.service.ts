import type { BodyOf, templateSaveWords } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type { TemplateRepository } from "./template.repository.ts";
import { requireWholeForm } from "./words.service.ts";

/** What other modules' rows say about removing a template. */
export const templateHooks: ResourceHooks<TemplateRepository> = {
  async obstacles({ ids, scope, extra }) {
    return (await extra.used(scope, ids)).map(({ id, count }) => ({
      id,
      resource: "合同",
      count,
      path: "/customer/contract?queue=all",
    }));
  },
};

export interface TemplateDependencies {
  templates: TemplateRepository;
  inOne: <T>(
    work: (parts: { templates: TemplateRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  nextId: () => string;
}

/** Words of templates: each change is a version, and contracts keep the one they were drafted from. */
export function createTemplateService({ templates, inOne, nextId }: TemplateDependencies) {
  return {
    async words(scope: TenantScope, id: string, version?: number) {
      const row = await templates.find(scope, id, { version });
      if (row === undefined || (version !== undefined && row.form === null))
        throw refuse("contract.template_not_found");
      const { form, ...rest } = row;
      return {
        id: rest.id,
        templateName: rest.templateName,
        enabled: rest.enabled,
        versionNumber: rest.versionNumber,
        savedBy: rest.savedBy,
        savedTime: rest.savedTime,
        ...(form !== null && { form: form as never }),
      };
    },

    /** @throws {Refusal} 404, 409 when somebody else was first, 400 when places and fields don't fit */
    async save(scope: TenantScope, { id, versionNumber, form }: BodyOf<typeof templateSaveWords>) {
      requireWholeForm(form);
      return inOne(async (parts) => {
        const row = await parts.templates.find(scope, id, { lock: true });
        if (row === undefined) throw refuse("contract.template_not_found");
        if (row.versionNumber !== versionNumber) throw refuse("contract.changed", { values: { name: row.savedBy } });
        await parts.templates.keep(id, versionNumber + 1, form, scope.accountId);
        await parts.audit.append(
          installationChain,
          scope,
          [
            {
              resource: "contract_template",
              rowId: id,
              rowTitle: row.templateName,
              action: "update",
              changes: [{ field: "versionNumber", before: String(versionNumber), after: String(versionNumber + 1) }],
            },
          ],
          nextId,
        );
        return { versionNumber: versionNumber + 1 };
      });
    },
  };
}
export type TemplateService = ReturnType<typeof createTemplateService>;
