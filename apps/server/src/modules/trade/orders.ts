import { orderProcess, orders } from "@herdwise/contract";
import { halfEven } from "@herdwise/contract/money";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { herdRefusal } from "./herd.ts";
import type { PaymentModule } from "./payments.ts";
import { tradeRepository } from "./trade.repository.ts";

export type OrderRow = RowOf<
  typeof orderProcess,
  { number: string; plan: string; declaration: string | null; heads: number; pricePerKg: number; expectedFen: string }
>;

/** What an order takes of its declaration. */
interface Accepted {
  id: string;
  tenantId: string;
  createdBy: string;
  plan: string;
  heads: number;
  pricePerKg: number | null;
  plate: string;
}

/** Hours in which the prepayment of a new order must arrive. */
const payWithinHours = 24;
const hourMs = 3_600_000;

export type OrderModule = ReturnType<typeof orderModule>;

/** Orders: opened by accepted declarations, moved on by payments, weighings and settlements. */
export function orderModule(context: TradeContext, payments: PaymentModule) {
  const { deskOf, platform } = context;
  const partsOf = (db: DatabaseHandle) => ({ trade: tradeRepository(db), pay: payments.service.on(db) });
  type Parts = ReturnType<typeof partsOf>;
  /** Gives the heads back to the plan and cancels what was to be paid. */
  const undo = async ({ row, parts }: { row: OrderRow; parts: Parts }) => {
    await parts.trade.take(tradeSystem, row.plan, -row.heads);
    for (const id of (await parts.trade.paid(tradeSystem, row.id)).open)
      await parts.pay.act(tradeSystem, { id, event: "cancel", party: "order" });
    return {};
  };
  /** Money that a person has already found on the bank's statement is decided on first. */
  const undecided = async ({ id }: OrderRow, { trade }: Parts): Promise<Refusal | undefined> =>
    (await trade.isRecorded(tradeSystem, id)) ? refuse("sale_order.payment_recorded") : undefined;
  const module = processModule(context, orderProcess, orders, {
    parts: partsOf,
    partyOf: (row: OrderRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    guards: {
      load: ({ plan }, { trade }) => herdRefusal(trade, plan),
      async weigh({ id }, { trade }) {
        const { confirmed, waiting } = await trade.weighed(tradeSystem, id);
        if (waiting > 0) return refuse("sale_order.weighing_open", { values: { count: waiting } });
        return confirmed.length === 0 ? refuse("sale_order.not_weighed") : undefined;
      },
      async complete({ id }, { trade }) {
        return (await trade.paid(tradeSystem, id)).open.length > 0 ? refuse("sale_order.payment_open") : undefined;
      },
      cancel: undecided,
      expire: undecided,
      async reweigh({ id }, { trade }) {
        return (await trade.isComputed(tradeSystem, id)) ? refuse("sale_order.settling") : undefined;
      },
    },
    on: {
      cancel: undo,
      expire: undo,
      async call_off({ row, parts, by }) {
        const { fen } = await parts.trade.paid(tradeSystem, row.id);
        await undo({ row, parts });
        const { tenantId, createdBy, id } = row;
        await parts.pay.begin(by, { tenantId, createdBy, order: id, kind: "refund", amountFen: fen, party: "order" });
        return {};
      },
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(orders.customerMenu?.path) },
      desk: { of: () => deskOf("sale_order_edit") },
    },
    links: ({ plan, declaration }) => [
      ["sale_plan", plan],
      ...(declaration === null ? [] : ([["declaration", declaration]] as const)),
    ],
    messages: "trade",
  });

  return {
    ...module,

    /** Opens the order of an accepted declaration, with its prepayment, in the transaction of the step. */
    openIn: (db: DatabaseHandle) => {
      const trade = tradeRepository(db);
      const inTransaction = module.service.on(db);
      const pay = payments.service.on(db);
      return async (by: TenantScope | SystemScope, row: Accepted): Promise<void> => {
        const offer = await trade.offer(tradeSystem, row.plan);
        if (offer === undefined || row.pricePerKg === null) throw refuse("declaration.plan_over");
        if (!(await trade.take(tradeSystem, row.plan, row.heads)))
          throw refuse("declaration.too_many", { values: { left: offer.headsLeft } });
        // Mean weight of the plan, in the middle of its band.
        const expectedFen = halfEven(row.heads * (offer.fromKg + offer.toKg) * row.pricePerKg, 2);
        const of = { tenantId: row.tenantId, createdBy: row.createdBy };
        const order = await inTransaction.begin(by, {
          ...of,
          plan: row.plan,
          declaration: row.id,
          heads: row.heads,
          pricePerKg: row.pricePerKg,
          plate: row.plate,
          expectedFen,
          payBy: new Date(platform.now() + payWithinHours * hourMs),
        });
        if (order === undefined) throw refuse("process.changed");
        await pay.begin(by, { ...of, order, kind: "prepayment", amountFen: expectedFen, party: "order" });
      };
    },
  };
}
