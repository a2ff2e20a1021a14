import {
  nextRealNameState,
  nextRemittanceState,
  type RealNameParty,
  type RealNameState,
  type RealNameStep,
  type RemittanceParty,
  type RemittanceState,
  type RemittanceStep,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { AuditRecord } from "../audit/index.ts";
import type { ApplicationRow } from "./real-name.repository.ts";
import type { RemittanceRow } from "./remittance.repository.ts";

/** @throws {Refusal} unless an application may take this step now */
export function stepOf(
  { kind, state }: Pick<ApplicationRow, "kind" | "state">,
  step: RealNameStep,
  party: RealNameParty,
): RealNameState {
  const next = nextRealNameState(kind, state, step, party);
  if (next === undefined) throw refuse("real_name.state");
  return next;
}

/** @throws {Refusal} unless a remittance may take this step now */
export function remittanceStepOf(
  { state }: Pick<RemittanceRow, "state">,
  step: RemittanceStep,
  party: RemittanceParty,
): RemittanceState {
  const next = nextRemittanceState(state, step, party);
  if (next === undefined) throw refuse("real_name.state");
  return next;
}

interface Change<State> {
  before: State | null;
  after: State;
}

/** A step as the audit trail has it: no values, for some are personal. */
export const auditOf = (
  row: Pick<ApplicationRow, "id" | "title">,
  step: RealNameStep | RemittanceStep | "submit",
  state: Change<RealNameState>,
  { fields = [], remittance }: { fields?: readonly string[]; remittance?: Change<RemittanceState> } = {},
): AuditRecord => ({
  resource: "real_name",
  rowId: row.id,
  rowTitle: row.title,
  action: state.before === null ? "create" : "update",
  changes: [
    { field: "event", before: null, after: step },
    { field: "state", ...state },
    ...(remittance ? [{ field: "remittance", ...remittance }] : []),
    ...(fields.length > 0 ? [{ field: "fields", before: null, after: fields.join(", ") }] : []),
  ],
});
