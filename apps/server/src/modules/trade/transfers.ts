import { refuse } from "../../http/errors.ts";
import type { Changes } from "../../processes/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** Records a transfer that somebody found on the bank's statement. @throws {Refusal} 400 for another amount than is due */
export function recorded(step: {
  row: { readonly amountFen: string };
  asks: Readonly<Record<string, unknown>>;
  columns: Changes;
  by: TenantScope | SystemScope;
}): Changes {
  const { row, asks, columns, by } = step;
  if (Number(asks.amountFen) !== Number(row.amountFen)) throw refuse("payment.amount", { field: "amountFen" });
  return { ...columns, recordedBy: accountOf(by) };
}

/** Takes back what was recorded of a transfer. */
export const unrecorded = (): Changes => ({ bankReference: "", receivedOn: null, recordedBy: null });
