import { orderProcess, orders } from "@herdwise/contract";
import { exactSum, halfEven } from "@herdwise/contract/money";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { herdRefusal } from "./herd.ts";
import { herdMovements } from "./herd-movements.ts";
import { askForPassport } from "./passports.ts";
import type { PaymentModule } from "./payments.ts";
import { tradeRepository } from "./trade.repository.ts";
import { transitRepository } from "./transit.repository.ts";
import { type TransitModule, washRefusal } from "./transits.ts";

export type OrderRow = RowOf<
  typeof orderProcess,
  {
    number: string;
    plan: string;
    declaration: string | null;
    lot: string | null;
    heads: number;
    pricePerKg: number;
    expectedFen: string;
  }
>;

/** What an order begins with. */
interface Agreed {
  tenantId: string;
  createdBy: string;
  plan: string;
  heads: number;
  pricePerKg: number;
  plate: string;
  fromKg: number;
  toKg: number;
  /** Price term of the customer's contract; null for other ways of selling. */
  contractTerm?: string | null;
}

/** What an order takes of its declaration. */
interface Accepted extends Omit<Agreed, "pricePerKg" | "fromKg" | "toKg"> {
  id: string;
  pricePerKg: number | null;
}

/** What an order takes of the lot that it was won in, which took the heads from the plan. */
interface Won extends Agreed {
  lot: string;
  /** Deposit that is credited when the rest of the prepayment arrives, fen. */
  depositFen: number;
}

/** Hours in which the prepayment of a new order must arrive. */
const payWithinHours = 24;
const hourMs = 3_600_000;

export type OrderModule = ReturnType<typeof orderModule>;

/** Orders: opened by accepted declarations, moved on by payments, weighings and settlements. */
export function orderModule(
  context: TradeContext,
  payments: PaymentModule,
  transits: TransitModule,
  later: {
    /** What becomes of a lot whose order was not paid. */
    unpaidIn: (db: DatabaseHandle) => (lot: string) => Promise<void>;
    /** Weighs the vehicles of an order by tickets that were there before its loading began. */
    weighIn: (db: DatabaseHandle) => (order: string) => Promise<void>;
  },
) {
  const { deskOf, platform } = context;
  const partsOf = (db: DatabaseHandle) => ({
    db,
    trade: tradeRepository(db),
    pay: payments.service.on(db),
    vehicles: transitRepository(db),
    transit: transits.service.on(db),
    unpaid: later.unpaidIn(db),
    weigh: later.weighIn(db),
    herd: herdMovements(db, platform.nextId),
  });
  type Parts = ReturnType<typeof partsOf>;
  /** Gives the heads back to the plan, or to the next bidder of the lot, and cancels what was to be paid. */
  const undo = async ({ row, parts, isPaid = false }: { row: OrderRow; parts: Parts; isPaid?: boolean }) => {
    for (const id of (await parts.trade.paid(tradeSystem, row.id)).due)
      await parts.pay.act(tradeSystem, { id, event: "cancel", party: "order" });
    for (const { id } of await parts.vehicles.ofOrder(tradeSystem, row.id))
      await parts.transit.act(tradeSystem, { id, event: "cancel", party: "order" });
    if (row.lot !== null && !isPaid) await parts.unpaid(row.lot);
    else await parts.trade.take(tradeSystem, row.plan, -row.heads);
    return {};
  };
  /** Money that a person has already found on the bank's statement is decided on first. */
  const undecided = async ({ id }: OrderRow, { trade }: Parts): Promise<Refusal | undefined> =>
    (await trade.isRecorded(tradeSystem, id)) ? refuse("sale_order.payment_recorded") : undefined;
  const module = processModule(context, orderProcess, orders, {
    parts: partsOf,
    partyOf: (row: OrderRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    guards: {
      async load({ id, plan, heads }, { trade, vehicles, herd }) {
        const entered = await vehicles.ofOrder(tradeSystem, id);
        if (entered.length === 0) return refuse("sale_order.no_transit");
        return (
          entered.map((one) => washRefusal(one)).find((held) => held !== undefined) ??
          (await herdRefusal(trade, plan)) ??
          (await herd.loadRefusal(id, heads))
        );
      },
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
      async load({ row, parts, by }) {
        await parts.herd.load(by, row);
        return {};
      },
      async weigh({ row, parts, by }) {
        const { confirmed } = await parts.trade.weighed(tradeSystem, row.id);
        await parts.herd.weigh(by, row, exactSum(confirmed.map(({ heads }) => heads)));
        await askForPassport(context, parts.db, row.id, "loaded");
        return {};
      },
      cancel: ({ row, parts }) => undo({ row, parts }),
      expire: ({ row, parts }) => undo({ row, parts }),
      async call_off({ row, parts, by }) {
        const { fen } = await parts.trade.paid(tradeSystem, row.id);
        await undo({ row, parts, isPaid: true });
        const { tenantId, createdBy, id } = row;
        await parts.pay.begin(by, { tenantId, createdBy, order: id, kind: "refund", amountFen: fen, party: "order" });
        return {};
      },
    },
    after: { load: ({ row, parts }) => parts.weigh(row.id) },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(orders.customerMenu?.path) },
      desk: { of: (_row, { db }) => deskOf("sale_order_edit", db) },
    },
    links: async ({ id, plan, declaration, lot }, { vehicles }) => [
      ["sale_plan", plan],
      ...(await vehicles.ofOrder(tradeSystem, id)).map((vehicle) => ["transit", vehicle.id] as const),
      ...(lot === null ? [] : ([["lot", lot]] as const)),
      ...(declaration === null ? [] : ([["declaration", declaration]] as const)),
    ],
    messages: "trade",
  });

  return {
    ...module,

    /** Screen of customers. */
    customerPath: orders.customerMenu?.path ?? "",

    /** Opens an order with its prepayment, in the transaction of another step. */
    openIn: (db: DatabaseHandle) => {
      const trade = tradeRepository(db);
      const inTransaction = module.service.on(db);
      const pay = payments.service.on(db);
      const open = async (
        by: TenantScope | SystemScope,
        { tenantId, createdBy, plan, heads, pricePerKg, plate, fromKg, toKg, contractTerm = null }: Agreed,
        from: { declaration?: string; lot?: string; depositFen?: number },
      ): Promise<void> => {
        const { depositFen = 0, ...origin } = from;
        // Mean weight of the plan, in the middle of its band.
        const expectedFen = halfEven(heads * (fromKg + toKg) * pricePerKg, 2);
        const of = { tenantId, createdBy };
        const payBy = new Date(platform.now() + payWithinHours * hourMs);
        const row = { ...of, ...origin, plan, heads, pricePerKg, plate, expectedFen, payBy, contractTerm };
        const order = await inTransaction.begin(by, row);
        if (order === undefined) throw refuse("process.changed");
        const amountFen = expectedFen - depositFen;
        await pay.begin(by, { ...of, order, kind: "prepayment", amountFen, party: "order" });
      };
      return {
        /** The order of an accepted declaration, for which heads are taken from the plan. */
        async declared(by: TenantScope | SystemScope, row: Accepted): Promise<void> {
          const offer = await trade.offer(tradeSystem, row.plan);
          const { pricePerKg } = row;
          if (offer === undefined || pricePerKg === null) throw refuse("declaration.plan_over");
          if (!(await trade.take(tradeSystem, row.plan, row.heads)))
            throw refuse("declaration.too_many", { values: { left: offer.headsLeft } });
          await open(by, { ...row, pricePerKg, fromKg: offer.fromKg, toKg: offer.toKg }, { declaration: row.id });
        },

        /** The order of a lot's winner. */
        won: (by: TenantScope | SystemScope, { lot, depositFen, ...agreed }: Won): Promise<void> =>
          open(by, agreed, { lot, depositFen }),
      };
    },
  };
}
