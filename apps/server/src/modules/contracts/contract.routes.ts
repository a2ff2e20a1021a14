import {
  batchDraft,
  batchSend,
  batchSheet,
  contractCode,
  contractDetail,
  contractDocument,
  contractHistory,
  contractPage,
  contractReject,
  contractRights,
  contractSee,
  contractSign,
  contractSummary,
  contractVerify,
  contractVersion,
  deskContractCustomers,
  deskContractDetail,
  deskContractDocument,
  deskContractDraft,
  deskContractEnd,
  deskContractFigures,
  deskContractPage,
  deskContractRevise,
  deskContractSend,
  deskContractTemplates,
  deskContractVersion,
  deskContractWithdraw,
  templateSaveWords,
  templateWords,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { BatchService } from "./batch.service.ts";
import type { ContractService } from "./contract.service.ts";
import type { DeskService } from "./desk.service.ts";
import type { TemplateService } from "./template.service.ts";
import type { VerifyService } from "./verify.service.ts";

export interface ContractRouteDependencies {
  contracts: ContractService;
  desk: DeskService;
  batches: BatchService;
  templates: TemplateService;
  verify: VerifyService;
}

/** Who acts for a customer, by the rights of the session. */
const customerOf = ({ session, scope }: { session: Session; scope: TenantScope }) => ({
  scope,
  maySign: session.permissions.has(contractRights.sign),
});

export function contractRoutes(
  router: Router,
  { contracts, desk, batches, templates, verify }: ContractRouteDependencies,
): void {
  router.on(contractPage, (call) => contracts.page(customerOf(call), call.query));
  router.on(contractDetail, (call) => contracts.detail(customerOf(call), call.query.id));
  router.on(contractVersion, ({ scope, query }) => contracts.version(scope, query.id, query.version));
  router.on(contractHistory, ({ scope, query }) => contracts.history(scope, query));
  router.on(contractSummary, ({ scope }) => contracts.summary(scope));
  router.on(contractSee, (call) => contracts.see(customerOf(call), call.body.id));
  router.on(contractDocument, ({ scope, body }) => contracts.document(scope, body.id, "customer"));
  router.on(contractCode, ({ scope, body }) => contracts.sendCode(scope, body));
  router.on(contractSign, ({ scope, body }) => contracts.sign(scope, body));
  router.on(contractReject, ({ scope, body }) => contracts.reject(scope, body));

  router.on(deskContractPage, ({ scope, query }) => desk.page(scope, query));
  router.on(deskContractFigures, ({ scope }) => desk.figures(scope));
  router.on(deskContractDetail, ({ session, scope, query }) =>
    desk.detail(scope, query.id, { maySend: session.permissions.has(contractRights.send) }),
  );
  router.on(deskContractVersion, ({ scope, query }) => desk.version(scope, query.id, query.version));
  router.on(deskContractDocument, ({ scope, body }) => contracts.document(scope, body.id, "desk"));
  router.on(deskContractCustomers, ({ scope, query }) => desk.customers(scope, query));
  router.on(deskContractTemplates, ({ scope }) => desk.templates(scope));
  router.on(deskContractDraft, ({ scope, body }) => desk.draft(scope, body));
  router.on(deskContractRevise, ({ scope, body }) => desk.revise(scope, body));
  router.on(deskContractSend, ({ scope, body }) => desk.send(scope, body));
  router.on(deskContractWithdraw, ({ scope, body }) => desk.withdraw(scope, body));
  router.on(deskContractEnd, ({ scope, body }) => desk.end(scope, body));
  router.on(batchSheet, ({ scope, body }) => batches.sheet(scope, body.templateId));
  router.on(batchDraft, ({ scope, body }) => batches.beginDraft(scope, body));
  router.on(batchSend, ({ scope, body }) => batches.beginSend(scope, body.batchId));
  router.on(templateWords, ({ scope, query }) => templates.words(scope, query.id, query.version));
  router.on(templateSaveWords, ({ scope, body }) => templates.save(scope, body));

  router.on(contractVerify, ({ query, remoteAddress }) => verify.verify(query.hash, remoteAddress));
}
