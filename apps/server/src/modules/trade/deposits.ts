import { depositProcess, deposits } from "@herdwise/contract";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import { createServiceCalendarOn } from "../service-calendar/index.ts";
import { biddingRepository } from "./bidding.repository.ts";
import { byAnother, customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { mayTakePart, tradeRepository } from "./trade.repository.ts";
import { recorded, refuseOtherLine, unrecorded } from "./transfers.ts";

type DepositRow = RowOf<
  typeof depositProcess,
  {
    number: string;
    lot: string;
    amountFen: string;
    recordedBy: string | null;
    proposedBy: string | null;
    returnAt: Date | null;
  }
>;

export type DepositModule = ReturnType<typeof depositModule>;

/** Deposits of lots: two people take one in, two people forfeit one, and the clock has it given back after the close. */
export function depositModule(context: TradeContext) {
  const { deskOf, isAuthenticated, platform } = context;
  const partsOf = (db: DatabaseHandle) => ({
    db,
    trade: tradeRepository(db),
    bidding: biddingRepository(db),
    calendar: createServiceCalendarOn({ kysely: db }),
  });
  type Parts = ReturnType<typeof partsOf>;
  /** What the bids or the order of its customer still need is not given back. */
  const needed = async (row: DepositRow, { bidding }: Parts): Promise<Refusal | undefined> => {
    if (row.returnAt !== null) return undefined;
    const { running, order } = await bidding.outcome(tradeSystem, row);
    if (running) return refuse("deposit.lot_running");
    return order === "waiting_payment" ? refuse("deposit.order_waiting") : undefined;
  };
  /** A deposit is given back within a working day. */
  const givenBackBy = async ({ calendar }: Parts) => ({
    returnBy: await calendar.afterWorkingDays(new Date(platform.now()), 1),
  });
  const module = processModule(context, depositProcess, deposits, {
    schedule: "* * * * *",
    parts: partsOf,
    partyOf: (row: DepositRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    async begin({ asks, parts: { db, trade, bidding }, by }) {
      const id = String(asks.lot);
      const lot = await bidding.openFor(tradeSystem, id);
      if (lot === undefined) throw refuse("bid.over", { field: "lot" });
      if ((await bidding.membersOf(tradeSystem, [lot.tenantId], [by.accountId])).length > 0)
        throw refuse("bid.own_group", { field: "lot" });
      if (!(await isAuthenticated(by, db))) throw refuse("bid.not_authenticated");
      if (!(await mayTakePart(trade, by, lot.participants, lot.day))) throw refuse("bid.not_for_you", { field: "lot" });
      if ((await bidding.ownDeposit(by, id)) !== "") throw refuse("deposit.exists", { field: "lot" });
      return { amountFen: lot.heads * lot.depositFen };
    },
    guards: {
      confirm: ({ recordedBy }, _parts, by) => byAnother([recordedBy], by, "payment.own"),
      give_back: needed,
      async propose_forfeit(row, { bidding }) {
        const { order } = await bidding.outcome(tradeSystem, row);
        return order === "cancelled" ? undefined : refuse("deposit.not_unpaid");
      },
      forfeit: ({ proposedBy }, _parts, by) => byAnother([proposedBy], by, "deposit.own_proposal"),
    },
    on: {
      record: (step) => recorded(step, "in"),
      send_back: unrecorded,
      receive: ({ asks }) => ({ bankReference: asks.bankReference, receivedOn: asks.receivedOn }),
      async turn_back({ asks, parts }) {
        return { bankReference: asks.bankReference, receivedOn: asks.receivedOn, ...(await givenBackBy(parts)) };
      },
      give_back: ({ parts }) => givenBackBy(parts),
      async release({ row, asks, columns, parts: { db } }) {
        const paidBack = { direction: "out", amountFen: Number(row.amountFen) } as const;
        await refuseOtherLine(db, String(asks.refundReference), paidBack, "refundReference");
        return columns;
      },
      async credit({ row, parts }) {
        return { order: await parts.trade.orderOfLot(tradeSystem, row) };
      },
      propose_forfeit: ({ by }) => ({ proposedBy: accountOf(by) }),
      keep: () => ({ proposedBy: null }),
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(deposits.customerMenu?.path) },
      desk: { of: (_row, { db }) => deskOf("deposit_edit", db) },
    },
    links: ({ lot }) => [["lot", lot]],
    messages: "trade",
  });

  return {
    ...module,

    /** Credits the deposit that stands for the order of a lot, in the step that confirms the order's payment. */
    creditIn:
      (db: DatabaseHandle) =>
      async (by: TenantScope | SystemScope, order: string): Promise<void> => {
        const won = await tradeRepository(db).lotOfOrder(tradeSystem, order);
        const deposit = won && (await biddingRepository(db).standing(tradeSystem, won));
        if (deposit) await module.service.on(db).act(by, { id: deposit.id, event: "credit", party: "order" });
      },
  };
}
