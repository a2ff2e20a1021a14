import { offers } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { declarationModule } from "./declarations.ts";
import { orderViewModule } from "./order-view.ts";
import { type OrderModule, orderModule } from "./orders.ts";
import { paymentModule } from "./payments.ts";
import { planModule } from "./plans.ts";
import { settlementModule } from "./settlements.ts";
import { tradeRepository } from "./trade.repository.ts";
import { weighingModule } from "./weighings.ts";

const deskScope = systemScope("a step of a sale tells the group's staff what waits for them");

/** Trade from the plan to the settlement. */
export function createTradeModules(
  context: ResourceContext,
  of: { holdersOf: HoldersOf; groupTenantId: string; isAuthenticated: (scope: TenantScope) => Promise<boolean> },
): ServerModule[] {
  const trade: TradeContext = {
    ...context,
    isAuthenticated: of.isAuthenticated,
    deskOf: (right) => of.holdersOf(deskScope, of.groupTenantId, right),
  };
  // Orders await payments, and payments move orders on.
  const later: { orders?: OrderModule } = {};
  const payments = paymentModule(trade, (db) => async (by, { order, kind }) => {
    if (kind === "prepayment")
      await later.orders?.service.on(db).act(by, { id: order, event: "confirm", party: "payment" });
    else await tradeRepository(db).completeSoon(tradeSystem, order);
  });
  const orders = orderModule(trade, payments);
  later.orders = orders;
  return [
    planModule(trade),
    declarationModule(trade, orders),
    orders,
    orderViewModule(context),
    payments,
    weighingModule(trade),
    settlementModule(trade, orders, payments),
    resourceModule(context, offers),
  ];
}
