import {
  type AuditChange,
  type BodyOf,
  checkRow,
  newSiteFormNumber,
  type PublicService,
  siteFormKinds,
  type siteFormSubmit,
  siteForms,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { wireDate } from "../../http/present.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type Budget, spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import { columnsOf, defaultsOf, type ResourceHooks, readValues } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type { SiteFormRepository } from "./site-form.repository.ts";

/** Forms of a phone in a day; whoever needs more calls. */
const perPhone: Budget = { max: 5, windowS: 86_400 };
const numberTries = 5;
const dayMs = 86_400_000;
const wishedWithinDays = 366;

interface SiteFormTransaction {
  forms: SiteFormRepository;
  audit: AuditRepository;
  tell(accountId: string, title: string, content: string, link: string): Promise<void>;
}

export interface SiteFormDependencies {
  repository: SiteFormRepository;
  inOne<T>(work: (to: SiteFormTransaction) => Promise<T>): Promise<T>;
  /** Accounts of the group's people who work on forms. */
  deskPeople(): Promise<readonly string[]>;
  cipher: PersonalCipher;
  store: Store;
  nextId: () => string;
  now: () => number;
}

/** What is counted for a phone: a landline is one phone with every hyphen and extension. */
const countedPhone = (phone: string): string => (/^0\d{2,3}-?\d{7,8}/.exec(phone)?.[0] ?? phone).replaceAll("-", "");

/** Forms of the public site, from their sending to what came of them, and the services that they may be for. */
export function createSiteFormService({
  repository,
  inOne,
  deskPeople,
  cipher,
  store,
  nextId,
  now,
}: SiteFormDependencies) {
  const note = (
    audit: AuditRepository,
    scope: TenantScope,
    row: { id: string; number: string },
    action: "update" | "view",
    changes: AuditChange[],
  ): Promise<void> =>
    audit.append(
      installationChain,
      scope,
      [{ resource: siteForms.name, rowId: row.id, rowTitle: row.number, action, changes }],
      nextId,
    );

  return {
    async services(language: "zh" | "en" = "zh", keyword = "") {
      return (await repository.services(keyword.trim())).map((row): PublicService => {
        const english = language === "en";
        return {
          id: row.id,
          kind: row.kind,
          name: (english && row.nameEn) || row.name,
          serviceScope: (english && row.serviceScopeEn) || row.serviceScope,
          duration: (english && row.durationEn) || row.duration,
          prepare: (english && row.prepareEn) || row.prepare,
          ...(row.price !== null && { price: row.price }),
          priceUnit: (english && row.priceUnitEn) || row.priceUnit,
          example: row.example,
        };
      });
    },

    /** Takes a form whose captcha has passed. @throws Refusal 400 with problems at fields, 429 for a phone that sends too many */
    async send({
      consent,
      check = false,
      language = "zh",
      ...form
    }: BodyOf<typeof siteFormSubmit>): Promise<{ number: string }> {
      if (!consent) throw refuse("form.consent", { field: "consent" });
      const values = {
        ...defaultsOf(siteForms),
        ...readValues(siteForms, {
          ...form,
          formNumber: newSiteFormNumber(now()),
          state: "new",
          formLanguage: language,
          note: "",
        }),
      };
      const problems = checkRow(siteForms, values);
      if (problems.length > 0) throw refuse("row.invalid", { problems, values: { count: problems.length } });
      if (form.kind !== "service" && form.kind !== "partner" && values.content === "")
        throw refuse("form.nothing_said", { field: "content" });
      const service = String(values.service ?? "");
      if (service !== "" && !(await repository.hasService(service)))
        throw refuse("row.not_found", { field: "service" });
      const wished = String(values.wishedOn ?? "");
      const [tomorrow, last] = [now() + dayMs, now() + wishedWithinDays * dayMs].map((ms) => wireDate(new Date(ms)));
      if (wished !== "" && (wished < (tomorrow ?? "") || wished > (last ?? "")))
        throw refuse("form.wished_past", { field: "wishedOn" });
      if (check) return { number: "" };
      const phone = cipher.index(countedPhone(String(values.contactPhone))).toString("base64url");
      if (!(await spend(store, `site-forms:${phone}`, [perPhone])))
        throw refuse("form.too_many", { values: { max: perPhone.max } });

      const id = nextId();
      const people = await deskPeople();
      const kindName = siteFormKinds.find(([kind]) => kind === form.kind)?.[1] ?? "";
      return inOne(async ({ forms, tell }) => {
        for (let tries = 0; tries < numberTries; tries += 1) {
          const number = newSiteFormNumber(now());
          if (!(await forms.insert({ id, ...columnsOf(siteForms, { ...values, formNumber: number }, cipher) })))
            continue;
          for (const accountId of people)
            await tell(accountId, "收到一份网站来单", `${number} · ${kindName}`, `/content/form?row=${id}`);
          return { number };
        }
        throw new Error("no free number was found for a form");
      });
    },

    /** @throws Refusal 404 */
    async take(scope: TenantScope, id: string): Promise<void> {
      await inOne(async ({ forms, audit }) => {
        const row = await forms.find(id, true);
        if (row === undefined) throw refuse("row.not_found");
        const name = await forms.take(id, scope.accountId);
        await note(audit, scope, row, "update", [
          { field: "assigneeName", before: row.assigneeName, after: name },
          ...(row.state === "new" ? [{ field: "state", before: "new", after: "working" }] : []),
        ]);
      });
    },

    /** Phone and e-mail in full; the trail says who looked. @throws Refusal 404 */
    async reveal(scope: TenantScope, id: string) {
      return inOne(async ({ forms, audit }) => {
        const row = await forms.find(id);
        if (row === undefined) throw refuse("row.not_found");
        await note(audit, scope, row, "view", [{ field: "contactPhone", before: null, after: "shown" }]);
        const clear = (text: string): string => (text === "" ? "" : cipher.decrypt(text));
        return {
          contactPhone: clear(row.contactPhoneEncrypted),
          contactEmail: clear(row.contactEmailEncrypted),
          revealedAt: new Date(now()),
        };
      });
    },

    /** Takes out who sent forms that ended more than some days ago. */
    forget: (days: number) => repository.forget(days),
  };
}
export type SiteFormService = ReturnType<typeof createSiteFormService>;

/** Rules of a form as a resource: an end says what came of it. */
export const siteFormHooks: ResourceHooks = {
  async beforeSave({ values }) {
    if ((values.state === "done" || values.state === "refused") && !values.note)
      throw refuse("form.end_untold", { field: "note" });
  },
};
