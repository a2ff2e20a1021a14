import { contractRights, contractTemplates } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { dueRepository, effect, tellBy } from "../../processes/index.ts";
import { spend } from "../../providers/budget.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { RealNameService } from "../real-name/index.ts";
import type { VerificationService } from "../verification/index.ts";
import { createBatchService } from "./batch.service.ts";
import { createClockService } from "./clock.service.ts";
import { contractRepository } from "./contract.repository.ts";
import { contractRoutes } from "./contract.routes.ts";
import { createContractService } from "./contract.service.ts";
import { contractFinders } from "./contract-finders.ts";
import { createContractProcess } from "./contract-process.ts";
import { createDeskService } from "./desk.service.ts";
import { documentRepository } from "./document.repository.ts";
import { templateRepository } from "./template.repository.ts";
import { createTemplateService, templateHooks } from "./template.service.ts";
import { termRepository } from "./term.repository.ts";
import { createVerifyService } from "./verify.service.ts";
import { verifyUploadRoute } from "./verify-upload.ts";
import { createWordsService } from "./words.service.ts";
import { writePaper } from "./write-paper.ts";

export { signBy } from "./sign-by.ts";
export { createWordsService, type Words } from "./words.service.ts";
export { writePaper } from "./write-paper.ts";

const told = systemScope("both sides of a contract are told what became of it, whoever did it");
const byTheClock = systemScope("contracts expire, end and are reminded of without anybody's call");
const everybody = systemScope("whoever holds a document or its hash may ask whether it was signed");
const sides = systemScope("who signs for a customer, and who of the group is told, is asked for whoever acts");

/** SMS that tell one person of contracts. */
const noticeBudgets = [{ max: 5, windowS: 86_400 }] as const;

export interface ContractsModuleDependencies {
  realName: Pick<RealNameService, "isOpen">;
  verification: Pick<VerificationService, "send" | "prove">;
  sms: SmsSender;
  holdersOf: HoldersOf;
  /** Tenant of the group, the other side of each contract. */
  groupTenantId: string;
  /** Full name of the company as the settings have it; "" for the name of its tenant. */
  companyName: () => string;
}

/** Contracts between the group and its customers: templates, drafts, signing, verification by anybody. */
export function createContractsModules(
  context: ResourceContext,
  { realName, verification, sms, holdersOf, groupTenantId, companyName }: ContractsModuleDependencies,
): ServerModule[] {
  const { config, kysely, inTransaction, personalCipher, store, nextId, now, warn } = context.platform;
  const words = createWordsService(personalCipher);
  const contracts = contractRepository(kysely);
  const documents = documentRepository(kysely);
  const templates = templateRepository(kysely);
  const terms = termRepository(kysely);
  const textSigner = effect<{ accountId: string; number: string }>(
    context.platform.jobs,
    "contracts.text-signer",
    async ({ accountId, number }, { attempt }) => {
      for (const { id, phoneEncrypted } of await documents.phones(sides, [accountId])) {
        // A further try is for the same message.
        if (attempt === 0 && !(await spend(store, `contract-sms:${id}`, noticeBudgets))) continue;
        await sms.send({
          phone: personalCipher.decrypt(phoneEncrypted),
          kind: "contract-notice",
          variables: { number },
        });
      }
    },
  );
  const inOne = inTransaction((db) => ({
    textSigner: textSigner.in(db),
    contracts: contractRepository(db),
    documents: documentRepository(db),
    templates: templateRepository(db),
    terms: termRepository(db),
    due: dueRepository(db),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: told, kind: "contract", nextId }),
  }));
  const signersOf = (tenantId: string) => holdersOf(sides, tenantId, contractRights.sign);
  const deskPeople = () => holdersOf(sides, groupTenantId, contractRights.send);
  const process = createContractProcess({ deskPeople, signersOf, nextId });
  const parts = {
    process,
    contracts,
    documents,
    terms,
    inOne,
    words,
    writePaper,
    cipher: personalCipher,
    files: context.files,
    verification,
    store,
    isProven: realName.isOpen,
    groupName: async () => companyName() || (await contracts.tenantName(sides, groupTenantId)),
    everybody,
    publicUrl: config.publicUrl,
    nextId,
    now,
  };
  const customers = createContractService(parts);
  const desk = createDeskService({ ...parts, templates, signersOf });
  const batches = createBatchService({ ...parts, desk, jobs: context.jobs });
  const clock = createClockService({
    process,
    signersOf,
    nextId,
    now,
    due: dueRepository(kysely),
    inOne,
    scope: byTheClock,
    onFault: warn("time did not bring a contract on"),
  });
  const verify = createVerifyService({ documents, words, store, everybody });
  return [
    resourceModule(context, contractTemplates, { hooks: templateHooks, extra: templateRepository }),
    {
      finders: contractFinders(contracts),
      async routes(router, http) {
        contractRoutes(router, {
          contracts: customers,
          desk,
          batches,
          templates: createTemplateService({ templates, inOne, nextId }),
          verify,
        });
        await verifyUploadRoute(http, router);
      },
      jobs: [
        context.jobs.define(batches.draftJob),
        context.jobs.define(batches.sendJob),
        textSigner.job,
        {
          name: "contracts.pass",
          schedule: "*/5 * * * *",
          retries: 0,
          timeoutS: 120,
          run: (_payload, { signal }) => clock.pass(signal),
        },
        {
          name: "contracts.remind",
          schedule: "0 9 * * *",
          retries: 3,
          timeoutS: 300,
          run: (_payload, { signal }) => clock.remind(signal),
        },
      ],
    },
  ];
}
