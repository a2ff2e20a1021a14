import {
  type BodyOf,
  type ContractEvent,
  type ContractForm,
  contractEventsFor,
  contractRights,
  type deskContractCustomers,
  type deskContractDraft,
  type deskContractEnd,
  type deskContractPage,
  type deskContractRevise,
  type deskContractWithdraw,
  type PriceTerm,
  type PriceTermInput,
  type QueryOf,
  valueOfRole,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDate } from "../../http/present.ts";
import { inTenant, type TenantScope } from "../../tenant-scope.ts";
import type { ContractRow } from "./contract.repository.ts";
import { type ContractDependencies, detailOf, requireReason } from "./contract.service.ts";
import { answerOf, type ContractParts, type ContractStep } from "./contract-process.ts";
import { contractOf, happeningOf } from "./present.ts";
import { signBy } from "./sign-by.ts";
import type { TemplateRepository, TemplateRow } from "./template.repository.ts";
import {
  ownValues,
  requireDrawablePaper,
  requireWholeForm,
  sha256Of,
  termsOf,
  termsProblems,
  undrawableParty,
  valueProblems,
  type Words,
} from "./words.service.ts";

export interface DeskDependencies extends ContractDependencies {
  templates: TemplateRepository;
  /** Members of a tenant who may sign for it. */
  signersOf: (tenantId: string) => Promise<readonly string[]>;
}

type Later<Value> = Value | Promise<Value>;

const mostCustomers = 20;
const mostHappenings = 200;

export interface NewDraft {
  tenantId: string;
  values: Readonly<Record<string, string>>;
  /** Price terms with the names of their places. */
  terms?: readonly PriceTerm[];
  signDays: number;
  requestKey?: string | undefined;
  batchId?: string;
}

/** The group's side: drafting, sending, taking back. */
export function createDeskService(dependencies: DeskDependencies) {
  const { process, contracts, documents, templates, terms, inOne, words, writePaper } = dependencies;
  const { isProven, groupName, signersOf, nextId, now } = dependencies;

  const found = async (scope: TenantScope, id: string): Promise<ContractRow> => {
    const row = await contracts.find(scope, id);
    if (row === undefined) throw refuse("contract.not_found");
    return row;
  };

  /** @throws {Refusal} 400 for a template that is not there, switched off or without words */
  const draftable = async (scope: TenantScope, templateId: string): Promise<TemplateRow & { form: ContractForm }> => {
    const template = await templates.find(scope, templateId);
    if (template === undefined || !template.enabled || template.form === null)
      throw refuse("contract.template", { field: "templateId" });
    return { ...template, form: template.form };
  };

  /**
   * Price terms with the names of their places.
   * @throws {Refusal} 400 for terms of a contract that sells no pigs, and with a problem for each field that is wrong
   */
  const placed = async (
    kind: string,
    form: ContractForm,
    values: Readonly<Record<string, string>>,
    given: readonly PriceTermInput[] = [],
  ): Promise<PriceTerm[]> => {
    if (given.length === 0) return [];
    if (kind !== "pig_sale") throw refuse("contract.terms_kind", { field: "terms" });
    const places = await terms.places({
      fields: given.map(({ field }) => field).filter((id) => id !== ""),
      regions: given.map(({ saleRegion }) => saleRegion).filter((id) => id !== ""),
    });
    const problems = termsProblems(given, valueOfRole(form, values, "until"), places);
    if (problems.length > 0) throw refuse("contract.values", { problems });
    return given.map((term) => ({
      ...term,
      place: places.fields.get(term.field) ?? places.regions.get(term.saleRegion) ?? "",
    }));
  };

  /** Writes a draft as a part of a transaction. @throws {Refusal} 400 with a problem for each value */
  const write = async (
    parts: ContractParts,
    scope: TenantScope,
    template: TemplateRow & { form: ContractForm },
    { tenantId, signDays, requestKey, batchId, terms: priced = [], ...given }: NewDraft,
  ): Promise<{ id: string; number: string } | undefined> => {
    const values = ownValues(template.form, given.values);
    const problems = valueProblems(template.form, values);
    if (problems.length > 0) throw refuse("contract.values", { problems });
    const year = Number(wireDate(new Date(now())).slice(0, 4));
    const number = `HT-${year}-${String(await parts.contracts.nextNumber(year)).padStart(4, "0")}`;
    const id = nextId();
    const { form } = template;
    const isNew = await parts.contracts.insert(scope, {
      id,
      tenantId,
      number,
      templateId: template.id,
      templateVersion: template.versionNumber,
      kind: template.kind,
      title: form.title,
      titleEn: form.titleEn,
      ...termsOf({ form, values }),
      signDays,
      batchId: batchId ?? null,
      requestKey: requestKey ?? null,
    });
    if (!isNew) return undefined;
    await parts.documents.writeWords(scope, id, {
      version: 1,
      wordsEncrypted: words.seal({ form, values, terms: priced }),
    });
    await parts.contracts.addEvent(scope, id, {
      id: nextId(),
      what: "draft",
      side: "desk",
      accountId: scope.accountId,
      version: 1,
    });
    const drafted = { id, tenantId, title: number };
    await process.audit(parts, scope, drafted, { event: "draft", before: null, after: "draft" });
    return { id, number };
  };

  const step = async (
    by: TenantScope,
    { id, revision }: { id: string; revision: number },
    event: ContractEvent,
    take: (row: ContractRow, parts: ContractParts) => Later<{ change: ContractStep; said?: { to: readonly string[] } }>,
  ) =>
    answerOf(
      await inOne((parts) =>
        process.act(parts, { by, party: "desk", row: id, version: revision, event, take: (row) => take(row, parts) }),
      ),
    );

  return {
    draftable,
    write,

    async page(scope: TenantScope, query: QueryOf<typeof deskContractPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await contracts.deskPage(
        scope,
        { queue: query.queue, keyword: query.keyword?.trim(), batchId: query.batchId },
        request,
      );
      return pageOfRows(rows.map(contractOf), total, request);
    },

    async figures(scope: TenantScope) {
      const { hours, ...figures } = (await contracts.figures(scope)) ?? {
        waiting: 0,
        overdue: 0,
        draft: 0,
        returned: 0,
        inForce: 0,
        ending: 0,
        signed: 0,
        signedFen: 0,
        hours: null,
      };
      return { ...figures, ...(hours !== null && { hours }) };
    },

    async detail(scope: TenantScope, id: string, { maySend }: { maySend: boolean }) {
      const row = await found(scope, id);
      const [detail, events, signers, proven] = await Promise.all([
        detailOf(row, scope, dependencies, { sentOnly: false }),
        contracts.events(scope, { id, sentOnly: false }, { offset: 0, limit: mostHappenings }),
        signersOf(row.tenantId),
        isProven(inTenant(scope, row.tenantId)),
      ]);
      return {
        ...detail,
        may: contractEventsFor(row.state, "desk").filter((event) => maySend || (event !== "send" && event !== "end")),
        needs: { proven, right: signers.length > 0, phoneBound: signers.length > 0 },
        signerPhone: "",
        tenantId: row.tenantId,
        templateId: row.templateId,
        templateName: row.templateName,
        templateVersion: row.templateVersion,
        signDays: row.signDays,
        history: events.rows.map(happeningOf),
        revision: row.revision,
      };
    },

    async version(scope: TenantScope, id: string, version: number) {
      const row = (await documents.versions(scope, id, false)).find((one) => one.version === version);
      if (row === undefined) throw refuse("contract.not_found");
      return words.wordsView(row);
    },

    async customers(scope: TenantScope, { keyword, tenantId }: QueryOf<typeof deskContractCustomers>) {
      const rows = await contracts.customers(
        scope,
        { keyword: keyword?.trim(), tenantId },
        contractRights.sign,
        mostCustomers,
      );
      return Promise.all(rows.map(async (row) => ({ ...row, proven: await isProven(inTenant(scope, row.tenantId)) })));
    },

    async templates(scope: TenantScope) {
      return (await templates.draftable(scope)).flatMap(({ id, templateName, kind, versionNumber, form }) =>
        form === null ? [] : [{ id, templateName, kind, versionNumber, form: form as never }],
      );
    },

    async draft(scope: TenantScope, body: BodyOf<typeof deskContractDraft>) {
      const before = body.requestKey && (await contracts.draftedBy(scope, body.requestKey));
      if (before) return before;
      const template = await draftable(scope, body.templateId);
      const [customer] = await contracts.customers(scope, { tenantId: body.tenantId }, contractRights.sign, 1);
      if (customer === undefined) throw refuse("contract.customer", { field: "tenantId" });
      const refusal = undrawableParty(customer.customer, "tenantId");
      if (refusal) throw refusal;
      const priced = await placed(template.kind, template.form, ownValues(template.form, body.values), body.terms);
      const made = await inOne((parts) => write(parts, scope, template, { ...body, terms: priced }));
      // Two of the same form at once: the other one was first.
      return made ?? (await contracts.draftedBy(scope, body.requestKey ?? "")) ?? { id: "0", number: "" };
    },

    async revise(
      scope: TenantScope,
      { id, revision, form, values: given, terms: wanted, signDays }: BodyOf<typeof deskContractRevise>,
    ) {
      requireWholeForm(form);
      const values = ownValues(form, given);
      const problems = valueProblems(form, values);
      if (problems.length > 0) throw refuse("contract.values", { problems });
      const priced = await placed((await found(scope, id)).kind, form, values, wanted);
      return step(scope, { id, revision }, "revise", async (row, { documents: kept }) => {
        // What somebody was sent stays as it was: the change is the next version.
        const versions = await kept.versions(scope, id, false);
        const version = versions.at(-1)?.sentTime ? row.version + 1 : row.version;
        await kept.writeWords(scope, id, { version, wordsEncrypted: words.seal({ form, values, terms: priced }) });
        const terms = { ...termsOf({ form, values }), signDays };
        return { change: { version, title: form.title, titleEn: form.titleEn, reason: "", terms } };
      });
    },

    /** Signs for the group and sends. Callers made sure that the person proved lately who they are. */
    async send(scope: TenantScope, { id, revision }: { id: string; revision: number }) {
      const row = await found(scope, id);
      if (row.revision !== revision) throw refuse("contract.changed", { values: { name: row.changedBy } });
      if (!contractEventsFor(row.state, "desk").includes("send")) throw refuse("contract.state");
      const signers = await signersOf(row.tenantId);
      if (signers.length === 0) throw refuse("contract.nobody_signs");
      const current = (await documents.versions(scope, id, false)).find(({ version }) => version === row.version);
      if (current === undefined) throw refuse("contract.not_found");
      const group = await groupName();
      const signer = await documents.signer(scope);
      const held: Words = words.open(current.wordsEncrypted);
      const input = words.paperInput(row, row.version, group, held);
      requireDrawablePaper(input);
      const { bytes, pages } = await writePaper(input);
      const sha256 = sha256Of(bytes);
      const at = new Date(now());
      return step(scope, { id, revision }, "send", async (_row, { documents: kept, textSigner }) => {
        await kept.markSent(scope, id, row.version);
        await kept.keepDocument(scope, {
          contractId: id,
          version: row.version,
          kind: "document",
          sealedEncrypted: words.sealBytes(bytes),
          sha256,
          pages,
        });
        await kept.keepSignature(scope, id, row.version, {
          side: "group",
          signerEncrypted: words.sealSigner({
            party: group,
            signer: signer?.name ?? "",
            account: signer?.account ?? "",
            phone: "",
          }),
          sha256,
          signedTime: at,
          remoteAddress: scope.remoteAddress,
        });
        for (const accountId of signers) await textSigner({ accountId, number: row.number });
        return { change: { signBy: signBy(now(), row.signDays), reason: "" } };
      });
    },

    withdraw(scope: TenantScope, { reason: given, ...shown }: BodyOf<typeof deskContractWithdraw>) {
      const reason = requireReason(given);
      return step(scope, shown, "withdraw", ({ state }) => ({
        change: { reason, body: reason },
        // Of a draft nobody knows.
        ...(state === "draft" && { said: { to: [] } }),
      }));
    },

    end(scope: TenantScope, { reason: given, ...shown }: BodyOf<typeof deskContractEnd>) {
      const reason = requireReason(given);
      return step(scope, shown, "end", () => ({ change: { reason, body: reason } }));
    },
  };
}
export type DeskService = ReturnType<typeof createDeskService>;
