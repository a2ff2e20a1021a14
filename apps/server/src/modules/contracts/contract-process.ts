import { type ContractState, contractProcess } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { createProcess, type DueRepository, type StepParts } from "../../processes/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { ContractChange, ContractRepository, ContractRow } from "./contract.repository.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";
import type { TemplateRepository } from "./template.repository.ts";
import type { TermRepository } from "./term.repository.ts";

/** What one transaction of a contract works with. */
export interface ContractParts extends StepParts {
  due: DueRepository;
  contracts: ContractRepository;
  documents: DocumentRepository;
  templates: TemplateRepository;
  terms: TermRepository;
  /** Tells somebody who may sign, by SMS. */
  textSigner: (of: { accountId: string; number: string }) => Promise<void>;
}

/** What a step changes beside the state, and why, as its history has it. */
export interface ContractStep extends Partial<Omit<ContractChange, "state">> {
  body?: string;
}

export interface ContractProcessDependencies {
  /** People of the group who are told what customers did. */
  deskPeople: () => Promise<readonly string[]>;
  /** Members of a tenant who may sign for it. */
  signersOf: (tenantId: string) => Promise<readonly string[]>;
  nextId: () => string;
}

/** The steps of contracts. */
export const createContractProcess = ({ deskPeople, signersOf, nextId }: ContractProcessDependencies) =>
  createProcess(contractProcess, {
    find: (parts: ContractParts, by: TenantScope | SystemScope, id: string) => parts.contracts.find(by, id, true),
    // What was never sent is nothing that a customer could know of.
    visible: (row: ContractRow, party) =>
      party === "desk" || party === "clock" || (row.sentTime !== null && row.state !== "draft"),
    // The customer was shown words, the desk the contract.
    versionOf: (row, party) => (party === "desk" ? row.revision : row.version),
    title: (row) => row.number,
    content: contentOf,
    changed: (row) => refuse("contract.changed", { values: { name: row.changedBy } }),
    async move(parts, { by, row, state }, { body: _body, ...change }: ContractStep = {}) {
      await parts.contracts.move(by, row.id, accountOf(by), { state, ...change });
    },
    note: (parts, { by, row, event, party }, id, { body, version = row.version }: ContractStep = {}) =>
      parts.contracts.addEvent(by, row.id, {
        id,
        what: event,
        side: party === "desk" || party === "clock" ? party : "customer",
        accountId: accountOf(by),
        version,
        ...(body !== undefined && { body }),
      }),
    receivers: {
      signers: { of: ({ tenantId }) => signersOf(tenantId), link: customerLink },
      desk: { of: async ({ createdBy }) => [createdBy, ...(await deskPeople())], link: deskLink },
      // What a colleague did is seen at the desk.
      author: { of: ({ createdBy }, party) => (party === "clock" ? [createdBy] : []), link: deskLink },
    },
    nextId,
  });
export type ContractProcess = ReturnType<typeof createContractProcess>;

/** What is answered to a step. */
export const answerOf = ({ row, state }: { row: ContractRow; state: ContractState }) => ({
  id: row.id,
  state,
  revision: row.revision + 1,
});
