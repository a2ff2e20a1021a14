import { type ContractEvent, type ContractParty, nextContractState } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import type { ContractChange, ContractRepository, ContractRow } from "./contract.repository.ts";
import type { DocumentRepository } from "./document.repository.ts";
import type { Tell } from "./tell.ts";
import type { TemplateRepository } from "./template.repository.ts";

/** What one transaction of a contract works with. */
export interface ContractParts {
  contracts: ContractRepository;
  documents: DocumentRepository;
  templates: TemplateRepository;
  audit: Pick<AuditRepository, "append">;
  tell: Tell;
}

export interface Act {
  id: string;
  event: ContractEvent;
  party: ContractParty;
  /** Of the row, as the desk was shown it. */
  revision?: number | undefined;
  /** Of the words, as the customer was shown them. */
  version?: number | undefined;
  /** Why, in the history. */
  body?: string;
  /** What changes beside the state, and what is stored with it, after a look at the contract. @throws {Refusal} */
  change?: (row: ContractRow, parts: ContractParts) => Promise<Partial<ContractChange>>;
  told?: (row: ContractRow, parts: ContractParts) => Promise<void>;
}

/** A change as the audit trail has it: no words of the contract. */
export const auditOf = (
  row: Pick<ContractRow, "id" | "number">,
  event: string,
  before: string | null,
  after: string,
): AuditRecord => ({
  resource: "contract",
  rowId: row.id,
  rowTitle: row.number,
  action: before === null ? "create" : "update",
  changes: [
    { field: "event", before: null, after: event },
    { field: "state", before, after },
  ],
});

/**
 * The one way in which something happens to a contract: looks at the table, changes it, writes history and audit trail, tells people.
 * @throws {Refusal} 404 without one, 409 when it changed since it was shown, 400 when it may not happen
 */
export async function act(
  parts: ContractParts,
  scope: TenantScope,
  what: Act,
  nextId: () => string,
): Promise<{ id: string; state: ContractRow["state"]; revision: number }> {
  const { id, event, party } = what;
  const row = await parts.contracts.find(scope, id, true);
  // What was never sent is nothing that a customer could know of.
  if (row === undefined || (party !== "desk" && (row.sentTime === null || row.state === "draft")))
    throw refuse("contract.not_found");
  if (
    (what.revision !== undefined && what.revision !== row.revision) ||
    (what.version !== undefined && what.version !== row.version)
  )
    throw refuse("contract.changed", { values: { name: row.changedBy } });
  const state = nextContractState(row.state, event, party);
  if (state === undefined) throw refuse("contract.state");
  const change: ContractChange = { state, ...(await what.change?.(row, parts)) };
  await parts.contracts.move(scope, id, scope.accountId, change);
  await parts.contracts.addEvent(scope, id, {
    id: nextId(),
    what: event,
    side: party === "desk" ? "desk" : "customer",
    accountId: scope.accountId,
    version: change.version ?? row.version,
    body: what.body ?? "",
  });
  await parts.audit.append(row.tenantId, scope, [auditOf(row, event, row.state, state)], nextId);
  await what.told?.(row, parts);
  return { id, state, revision: row.revision + 1 };
}
