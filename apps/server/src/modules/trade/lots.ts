import { lotOffers, lotProcess, lots, timeRangesOf } from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { modelOn } from "../trade-settings/index.ts";
import { type Bidder, biddingRepository } from "./bidding.repository.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import type { OrderModule } from "./orders.ts";
import { tradeRepository } from "./trade.repository.ts";

type LotRow = RowOf<
  typeof lotProcess,
  {
    number: string;
    plan: string;
    heads: number;
    fromKg: number;
    toKg: number;
    bestPerKg: number | null;
    bestTenant: string | null;
    bestAccount: string | null;
  }
>;

const minuteMs = 60_000;

/** The moments of a lot's form. @throws {Refusal} 400 naming the field */
function momentsOf(asks: Readonly<Record<string, unknown>>, day: string, now: number): { opensAt: Date; endsAt: Date } {
  const [range, more] = timeRangesOf(String(asks.bidTimes)) ?? [];
  if (range === undefined || more !== undefined) throw refuse("lot.times", { field: "bidTimes" });
  const midnight = shanghaiMidnight(String(asks.bidOn));
  const [opens, ends] = [midnight + range.from * minuteMs, midnight + range.to * minuteMs];
  if (ends <= now) throw refuse("lot.past", { field: "bidTimes" });
  if (ends > shanghaiMidnight(day)) throw refuse("lot.before_loading", { field: "bidOn" });
  return { opensAt: new Date(opens), endsAt: new Date(ends) };
}

export type LotModule = ReturnType<typeof lotModule>;

/** Lots: heads are taken from the plan when one is announced; the clock opens, freezes and awards it, and the winner gets an order. */
export function lotModule(context: TradeContext, orders: OrderModule) {
  const { deskOf, platform } = context;
  const partsOf = (db: DatabaseHandle) => ({
    db,
    trade: tradeRepository(db),
    bidding: biddingRepository(db),
    openOrder: orders.openIn(db).won,
  });
  type Parts = ReturnType<typeof partsOf>;
  const toOffer = customerLink(lotOffers.menu.path);
  const toOrders = (): string => orders.customerPath;
  const open = async ({ id, plan, heads, fromKg, toKg }: LotRow, to: Bidder, { bidding, openOrder }: Parts) => {
    const { tenantId, accountId, fenPerKg } = to;
    const deposit = await bidding.standing(tradeSystem, { lot: id, tenantId });
    const won = { tenantId, createdBy: accountId, plan, lot: id, heads, fromKg, toKg, pricePerKg: fenPerKg, plate: "" };
    await openOrder(tradeSystem, { ...won, depositFen: deposit?.fen ?? 0 });
  };
  const giveUp = async ({ row, parts }: { row: LotRow; parts: Parts }) => {
    await parts.trade.take(tradeSystem, row.plan, -row.heads);
    await parts.bidding.giveBack(tradeSystem, row.id, null);
    return {};
  };
  const module = processModule(context, lotProcess, lots, {
    schedule: "* * * * *",
    parts: partsOf,
    partyOf: () => "desk",
    async begin({ asks, parts: { db, trade } }) {
      const plan = String(asks.plan);
      const heads = Number(asks.heads);
      const offer = await trade.offer(tradeSystem, plan);
      if (offer?.mode !== "bidding") throw refuse("lot.no_plan", { field: "plan" });
      const model = await modelOn(db, offer.region, offer.category, "bidding", offer.day);
      const { bidStepFen: stepFen, depositFen } = model ?? {};
      if (!model || !stepFen || !depositFen) throw refuse("sale_plan.no_model", { field: "plan" });
      const { leastHeads: least, mostHeads: most } = model;
      if (heads < least || heads > most) throw refuse("declaration.heads", { field: "heads", values: { least, most } });
      // What is left to pay after the deposit is a payment.
      if (2 * depositFen >= (offer.fromKg + offer.toKg) * Number(asks.reservePerKg))
        throw refuse("lot.deposit", { field: "reservePerKg" });
      const moments = momentsOf(asks, offer.day, platform.now());
      if (!(await trade.take(tradeSystem, plan, heads)))
        throw refuse("declaration.too_many", { field: "heads", values: { left: offer.headsLeft } });
      const { participants, softCloseMinutes } = model;
      return { stepFen, depositFen, participants, softCloseMinutes, ...moments };
    },
    guards: {
      award: ({ bestPerKg }): Refusal | undefined => (bestPerKg === null ? refuse("lot.without_bid") : undefined),
      fail: ({ bestPerKg }) => (bestPerKg === null ? undefined : refuse("lot.with_bid")),
      withdraw: ({ bestPerKg }) => (bestPerKg === null ? undefined : refuse("lot.with_bid")),
    },
    on: {
      async award({ row, parts }) {
        const { id, bestTenant: tenantId, bestAccount: accountId, bestPerKg: fenPerKg } = row;
        if (tenantId === null || accountId === null || fenPerKg === null) throw refuse("lot.without_bid");
        await open(row, { tenantId, accountId, fenPerKg }, parts);
        await parts.bidding.giveBack(tradeSystem, id, tenantId);
        return {};
      },
      fail: giveUp,
      withdraw: giveUp,
      async pass_on({ row, parts }) {
        const next = await parts.bidding.next(tradeSystem, row.id);
        if (next === undefined) throw refuse("lot.without_bid");
        await open(row, next, parts);
        return {};
      },
      async fall_through({ row, parts }) {
        await parts.trade.take(tradeSystem, row.plan, -row.heads);
        return {};
      },
    },
    receivers: {
      winner: { of: ({ bestAccount }) => [bestAccount], link: toOrders },
      bidders: {
        of: async ({ id, bestTenant }, { bidding }) =>
          (await bidding.ranking(tradeSystem, id)).flatMap(({ tenantId, accountId }) =>
            tenantId === bestTenant ? [] : [accountId],
          ),
        link: toOffer,
      },
      depositors: { of: ({ id }, { bidding }) => bidding.depositors(tradeSystem, id), link: toOffer },
      next: { of: ({ id }, { bidding }) => bidding.newestBuyer(tradeSystem, id), link: toOrders },
      desk: { of: (_row, { db }) => deskOf("lot_edit", db) },
    },
    links: ({ plan }) => [["sale_plan", plan]],
    messages: "trade",
  });

  return {
    ...module,

    /** The order of a lot was not paid: the next bidder gets one, or the heads go back to the plan. */
    unpaidIn:
      (db: DatabaseHandle) =>
      async (lot: string): Promise<void> => {
        const next = await biddingRepository(db).next(tradeSystem, lot);
        const event = next === undefined ? "fall_through" : "pass_on";
        await module.service.on(db).act(tradeSystem, { id: lot, event, party: "order" });
      },
  };
}
