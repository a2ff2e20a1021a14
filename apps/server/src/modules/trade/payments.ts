import { paymentProcess, payments } from "@herdwise/contract";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import { byAnother, customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";
import { recorded, unrecorded } from "./transfers.ts";

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
    parts: (db: DatabaseHandle) => ({ db, trade: tradeRepository(db), paid: onPaid(db) }),
    // Who cancels an order holds it before its payments, so nobody holds a payment first.
    holds: (id, { trade }) => trade.holdOrderOf(tradeSystem, { payment: id }),
    partyOf: (row: PaymentRow, by) => (by.tenantId === row.tenantId ? undefined : "desk"),
    guards: {
      confirm: ({ recordedBy }, _parts, by) => byAnother([recordedBy], by, "payment.own"),
    },
    on: {
      record: (step) => recorded(step, step.row.kind === "refund" ? "out" : "in"),
      send_back: unrecorded,
      async receive({ row, asks, parts, by }) {
        await parts.paid(by, row);
        return { bankReference: asks.bankReference, receivedOn: asks.receivedOn };
      },
      async confirm({ row, parts, by }) {
        await parts.paid(by, row);
        return {};
      },
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(payments.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("payment_edit", db) },
    },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
}
