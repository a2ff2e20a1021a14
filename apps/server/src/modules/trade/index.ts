import { abnormalOrders, lotOffers, offers, priceTerms } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import type { ServerModule } from "../../module.ts";
import { gatewayPayment } from "../../providers/payment/gateways.ts";
import { sandboxPayment } from "../../providers/payment/sandbox.ts";
import type { SmsMessage } from "../../providers/sms/sms.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import type { HeldSettings } from "../settings/index.ts";
import { arrivalModule } from "./arrivals.ts";
import { bankLineModule } from "./bank-lines.ts";
import { bidModule } from "./bids.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { declarationModule } from "./declarations.ts";
import { type DepositModule, depositModule } from "./deposits.ts";
import { driverLinkModule } from "./driver-links.ts";
import { invoiceModule } from "./invoices.ts";
import { type LotModule, lotModule } from "./lots.ts";
import { noteModule } from "./notes.ts";
import { orderViewModule } from "./order-view.ts";
import { type OrderModule, orderModule } from "./orders.ts";
import { passportModule } from "./passports.ts";
import { payRoutes } from "./pay.routes.ts";
import { payAttemptModule } from "./pay-attempts.ts";
import { paymentModule } from "./payments.ts";
import { planBoardModule } from "./plan-board.ts";
import { planModule } from "./plans.ts";
import { saleReportModule } from "./reports.ts";
import { type ScaleTicketModule, scaleTicketModule } from "./scale-tickets.ts";
import { sellDaysModule } from "./sell-days.ts";
import { settingPreviewModule } from "./setting-previews.ts";
import { settlementModule } from "./settlements.ts";
import { statementModule } from "./statements.ts";
import { trackModule } from "./tracks.ts";
import { tradeRepository } from "./trade.repository.ts";
import { transitModule } from "./transits.ts";
import { weighingModule } from "./weighings.ts";

export { chained, type StoredEntry } from "./bid-chain.ts";
export { driverSecret, driverTokenHash } from "./driver-secret.ts";

const deskScope = systemScope("a step of a sale tells the group's staff what waits for them");

/** Trade from the plan to the settlement. */
export function createTradeModules(
  context: ResourceContext,
  of: {
    holdersOf: HoldersOf;
    groupTenantId: string;
    isAuthenticated: TradeContext["isAuthenticated"];
    sessionCheck: TradeContext["sessionCheck"];
    settings: Pick<HeldSettings, "payment" | "formerPayments">;
    /** Lets a listener know that weighbridges sent tickets. */
    onWeighed: (listener: () => void) => void;
    /** Sends an SMS within the limits of its number and of the caller's address. */
    notify: (message: SmsMessage, remoteAddress: string) => Promise<void>;
  },
): ServerModule[] {
  const trade: TradeContext = {
    ...context,
    isAuthenticated: of.isAuthenticated,
    sessionCheck: of.sessionCheck,
    deskOf: (right, db) => of.holdersOf(deskScope, of.groupTenantId, right, db),
  };
  // Orders await payments, and payments move orders on.
  const later: { orders?: OrderModule; lots?: LotModule; tickets?: ScaleTicketModule } = {};
  const deposits: DepositModule = depositModule(trade);
  const payments = paymentModule(trade, (db) => async (by, { order, kind }) => {
    if (kind === "prepayment") {
      await later.orders?.service.on(db).act(by, { id: order, event: "confirm", party: "payment" });
      await deposits.creditIn(db)(by, order);
    } else await tradeRepository(db).completeSoon(tradeSystem, order);
  });
  // Lots open orders, and unpaid orders go back to their lots.
  const transits = transitModule(trade);
  const orders = orderModule(trade, payments, transits, {
    unpaidIn: (db) => async (lot) => later.lots?.unpaidIn(db)(lot),
    weighIn: (db) => async (order) => later.tickets?.weighIn(db)(order),
  });
  later.orders = orders;
  const lots = lotModule(trade, orders);
  later.lots = lots;
  // Tickets of weighbridges become weighings, and discarded weighings give them back.
  const weighings = weighingModule(trade, (db) => async (weighing) => later.tickets?.releaseIn(db)(weighing));
  const arrivals = arrivalModule(trade);
  const tickets = scaleTicketModule(trade, { weighings, arrivals, groupTenantId: of.groupTenantId });
  later.tickets = tickets;
  of.onWeighed(tickets.heard);
  const { config, store, now, secretKey } = context.platform;
  const sandbox = config.demo ? sandboxPayment(store, `pay sandbox ${secretKey}`, now) : undefined;
  const gateway = gatewayPayment({ settings: of.settings, portal: config.publicUrl, now });
  /** Looked up each time: administrators set the gateway while the server runs. */
  const providers = { gateway, sandbox: () => (of.settings.payment() === undefined ? sandbox : undefined) };
  const attempts = payAttemptModule(trade, providers, { payments, deposits });
  return [
    planModule(trade),
    planBoardModule(context.platform),
    declarationModule(trade, orders),
    lots,
    deposits,
    bidModule(trade),
    orders,
    orderViewModule(context),
    payments,
    passportModule(trade),
    saleReportModule(trade),
    sellDaysModule(context.platform, of.groupTenantId),
    attempts,
    {
      routes: (router: Router, http: FastifyInstance) => payRoutes(router, http, { providers, heard: attempts.heard }),
    },
    bankLineModule(context, { payments, deposits }),
    transits,
    driverLinkModule(trade, transits, of.notify),
    trackModule(context.platform),
    weighings,
    arrivals,
    tickets,
    settlementModule(trade, orders, payments),
    settingPreviewModule(trade),
    noteModule(trade, payments),
    invoiceModule(trade),
    statementModule(context),
    resourceModule(context, offers),
    resourceModule(context, abnormalOrders),
    resourceModule(context, priceTerms),
    resourceModule(context, lotOffers),
  ];
}
