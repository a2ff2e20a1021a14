import { paymentProcess, payments } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import { customerLink, type TradeContext } from "./context.ts";

type PaymentRow = RowOf<
  typeof paymentProcess,
  {
    number: string;
    order: string;
    kind: "prepayment" | "balance" | "refund";
    amountFen: string;
    recordedBy: string | null;
  }
>;

/** What a confirmed payment moves on. */
export type OnPaid = (
  db: DatabaseHandle,
) => (by: TenantScope | SystemScope, payment: Pick<PaymentRow, "order" | "kind">) => Promise<void>;

export type PaymentModule = ReturnType<typeof paymentModule>;

/** Payments: one person records what the bank's statement says, another one confirms it. */
export function paymentModule(context: TradeContext, onPaid: OnPaid) {
  return processModule(context, paymentProcess, payments, {
    parts: (db: DatabaseHandle) => ({ db, paid: onPaid(db) }),
    partyOf: (row: PaymentRow, by) => (by.tenantId === row.tenantId ? undefined : "desk"),
    guards: {
      confirm: ({ recordedBy }, _parts, by) =>
        recordedBy !== null && recordedBy === accountOf(by) ? refuse("payment.own") : undefined,
    },
    on: {
      record({ row, asks, columns, by }) {
        if (Number(asks.amountFen) !== Number(row.amountFen)) throw refuse("payment.amount", { field: "amountFen" });
        return { ...columns, recordedBy: accountOf(by) };
      },
      async confirm({ row, parts, by }) {
        await parts.paid(by, row);
        return {};
      },
      send_back: () => ({ bankReference: "", receivedOn: null, recordedBy: null }),
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(payments.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("payment_edit", db) },
    },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
}
