import { settlementProcess, settlements } from "@herdwise/contract";
import { SettlementError, type SettlementReason, settle } from "@herdwise/contract/settlement";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { bandsOn } from "../trade-settings/index.ts";
import { arrivalRepository } from "./arrival.repository.ts";
import { byAnother, customerLink, type TradeContext, tradeSystem } from "./context.ts";
import type { OrderModule } from "./orders.ts";
import type { PaymentModule } from "./payments.ts";
import { tradeRepository } from "./trade.repository.ts";

type SettlementRow = RowOf<typeof settlementProcess, { number: string; order: string; leftFen: string; buyer: string }>;

/** What a person has to mend before an order can be settled. */
const reasonOf = {
  not_integer: "settlement.bounds",
  out_of_bounds: "settlement.bounds",
  no_vehicle: "sale_order.not_weighed",
  no_heads: "settlement.bounds",
  tare_not_below_gross: "weighing.tare",
  no_band: "settlement.no_band",
  bands_overlap: "settlement.bands_overlap",
  price_not_positive: "settlement.price",
  deduction_too_large: "settlement.deduction",
} as const satisfies Readonly<Record<SettlementReason, string>>;

/**
 * Settlements: computed from the confirmed weighings, in force when a second person confirmed it. What is left to pay, or to be
 * paid back, is a payment of its own.
 */
export function settlementModule(context: TradeContext, orders: OrderModule, payments: PaymentModule) {
  return processModule(context, settlementProcess, settlements, {
    parts: (db: DatabaseHandle) => ({
      db,
      trade: tradeRepository(db),
      arrivals: arrivalRepository(db),
      orders: orders.service.on(db),
      pay: payments.service.on(db),
    }),
    holds: (id, { trade }) => trade.holdOrderOf(tradeSystem, { settlement: id }),
    partyOf: (row: SettlementRow, by) => (by.tenantId === row.tenantId ? undefined : "desk"),
    async begin({ asks, parts: { db, trade, arrivals } }) {
      const id = String(asks.order);
      const order = await trade.orderAt(tradeSystem, id);
      if (order?.state !== "weighed") throw refuse("settlement.not_weighed", { field: "order" });
      const plate = await arrivals.disputed(tradeSystem, id);
      if (plate !== undefined) throw refuse("settlement.weight_dispute", { field: "order", values: { plate } });
      const deductionFen = Number(asks.deductionFen ?? 0);
      const reason = String(asks.deductionReason ?? "");
      if (deductionFen > 0 && reason === "") throw refuse("settlement.why_deducted", { field: "deductionReason" });
      const { confirmed } = await trade.weighed(tradeSystem, id);
      const before = (await trade.paid(tradeSystem, id)).fen;
      const bands = await bandsOn(db, order.region, order.category, order.day);
      try {
        const result = settle({
          vehicles: confirmed,
          fenPerKg: order.pricePerKg,
          // A category without bands has one price for all weights.
          ...(bands.length > 0 && { bands }),
          ...(deductionFen > 0 && { deductions: [{ kind: "fixed", fen: deductionFen, reason }] }),
          // Agricultural producers' own products are exempt (Interim Regulations on Value-Added Tax, article 15).
          taxBasisPoints: 0,
          taxIncluded: false,
          paid: [{ kind: "prepayment", fen: before }],
        });
        return {
          tenantId: order.tenantId,
          heads: result.heads,
          netGrams: result.netGrams,
          goodsFen: result.goodsFen,
          taxFen: result.taxFen,
          totalFen: result.totalFen,
          paidFen: result.paidFen,
          leftFen: result.dueFen - result.refundFen,
          lines: JSON.stringify(result.lines),
        };
      } catch (error) {
        if (error instanceof SettlementError)
          throw refuse(reasonOf[error.reason], { values: { plate: error.plate ?? "" } });
        throw error;
      }
    },
    guards: {
      async confirm({ id, order, createdBy }, { arrivals }, by) {
        const disputed = await arrivals.disputed(tradeSystem, order);
        if (disputed !== undefined) return refuse("settlement.weight_dispute", { values: { plate: disputed } });
        const taken = await arrivals.takenSince(tradeSystem, id);
        if (taken !== undefined) return refuse("settlement.weights_changed", { values: { plate: taken } });
        return byAnother([createdBy], by, "settlement.own");
      },
    },
    on: {
      async confirm({ row, parts, by }) {
        await parts.orders.act(by, { id: row.order, event: "settle", party: "settlement" });
        const left = Number(row.leftFen);
        const of = { tenantId: row.tenantId, order: row.order, party: "order" } as const;
        if (left === 0) await parts.trade.completeSoon(tradeSystem, row.order);
        else await parts.pay.begin(by, { ...of, kind: left > 0 ? "balance" : "refund", amountFen: Math.abs(left) });
        return {};
      },
    },
    receivers: {
      customer: {
        of: ({ buyer }) => [buyer],
        link: customerLink(settlements.customerMenu?.path),
      },
      desk: { of: (_row, { db }) => context.deskOf("settlement_edit", db) },
    },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
}
