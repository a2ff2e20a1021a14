import { yuanText } from "@herdwise/contract/money";
import { refuse } from "../../http/errors.ts";
import type { Changes } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import { bankLineRepository } from "./bank-line.repository.ts";
import { tradeSystem } from "./context.ts";

/**
 * Records a transfer that somebody found on the bank's statement.
 * @param direction of the money, as the statement of the bank has it
 * @throws {Refusal} 400 for another amount than is due, and for one that the statement says otherwise
 */
export async function recorded(
  step: {
    row: { readonly amountFen: string };
    asks: Readonly<Record<string, unknown>>;
    columns: Changes;
    by: TenantScope | SystemScope;
    parts: { readonly db: DatabaseHandle };
  },
  direction: "in" | "out",
): Promise<Changes> {
  const { row, asks, columns, by, parts } = step;
  const [said, due] = [Number(asks.amountFen), Number(row.amountFen)];
  if (said !== due) {
    const values = { due: yuanText(due), difference: yuanText(Math.abs(said - due)) };
    throw refuse(said > due ? "payment.too_much" : "payment.too_little", { field: "amountFen", values });
  }
  await refuseOtherLine(parts.db, String(asks.bankReference), { direction, amountFen: due });
  return { ...columns, recordedBy: accountOf(by) };
}

/** Refuses what the imported statement of the bank says otherwise of a reference. @throws {Refusal} 400 */
export async function refuseOtherLine(
  db: DatabaseHandle,
  reference: string,
  { direction, amountFen }: { direction: "in" | "out"; amountFen: number },
  field = "bankReference",
): Promise<void> {
  const line = await bankLineRepository(db).ofReference(tradeSystem, reference);
  if (line === undefined) return;
  if (line.aside) throw refuse("bank_line.aside", { field });
  if (line.direction !== direction) throw refuse("bank_line.direction", { field });
  if (line.amountFen !== amountFen)
    throw refuse("bank_line.amount", { field, values: { amount: yuanText(line.amountFen) } });
}

/** Takes back what was recorded of a transfer. */
export const unrecorded = (): Changes => ({ bankReference: "", receivedOn: null, recordedBy: null });
