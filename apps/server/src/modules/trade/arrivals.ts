import { arrivalPhotoName, arrivalProcess, arrivalWeighings, isWeightDispute } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { arrivalRepository } from "./arrival.repository.ts";
import { customerLink, type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";

type ArrivalRow = RowOf<typeof arrivalProcess, { number: string; order: string; plate: string; buyer: string }>;

export type ArrivalModule = ReturnType<typeof arrivalModule>;

/** Weights at arrival, compared with those at loading; a difference that is too large stops the settlement until staff decide. */
export function arrivalModule(context: TradeContext) {
  const partsOf = (db: DatabaseHandle) => ({ db, trade: tradeRepository(db), arrivals: arrivalRepository(db) });
  type Parts = ReturnType<typeof partsOf>;

  /** What is stored of the weights at arrival. Holds the order. @throws {Refusal} where they can't count */
  const judged = async ({ trade, arrivals }: Parts, transit: string, grossGrams: number, tareGrams: number) => {
    if (tareGrams >= grossGrams) throw refuse("arrival_weighing.tare", { field: "tareGrams" });
    const id = await arrivals.orderOf(tradeSystem, transit);
    const order = id && (await trade.orderAt(tradeSystem, id));
    const vehicle = await arrivals.vehicle(tradeSystem, transit);
    if (!order || vehicle === undefined || !["departed", "arrived", "closed"].includes(vehicle.state))
      throw refuse("arrival_weighing.not_departed", { field: "transit" });
    const { plate, loadingGrams, reported } = vehicle;
    if (order.state !== "loading" && order.state !== "weighed")
      throw refuse("arrival_weighing.settled", { field: "transit" });
    if (reported) throw refuse("arrival_weighing.reported", { field: "transit", values: { plate } });
    const [loading, ...others] = loadingGrams;
    if (loading === undefined || others.length > 0) throw refuse("arrival_weighing.not_weighed", { field: "transit" });
    const state = isWeightDispute(loading, grossGrams - tareGrams) ? "disputed" : "agreed";
    return { tenantId: order.tenantId, order: vehicle.order, transit, plate, loadingGrams: loading, state };
  };

  const module = processModule(context, arrivalProcess, arrivalWeighings, {
    parts: partsOf,
    partyOf: (row: ArrivalRow, by) => (by.tenantId === row.tenantId ? "customer" : "desk"),
    holds: (id, { trade }) => trade.holdOrderOf(tradeSystem, { arrival: id }),
    async begin({ asks, parts, by }) {
      const photo = String(asks.photo);
      if (!arrivalPhotoName.test(photo) || !(await parts.arrivals.hasPhoto(by, photo)))
        throw refuse("arrival_weighing.photo", { field: "photo" });
      const found = await judged(parts, String(asks.transit), Number(asks.grossGrams), Number(asks.tareGrams));
      return { ...found, photo, source: "hand" };
    },
    begun: {
      to: "desk",
      title: "到货重量有争议，结算暂停",
      content: ({ number, plate, state }) => (state === "disputed" ? `${number}：${plate}` : undefined),
    },
    receivers: {
      customer: { of: ({ buyer }) => [buyer], link: customerLink(arrivalWeighings.customerMenu?.path) },
      desk: { of: (_row, { db }) => context.deskOf("arrival_weighing_edit", db) },
    },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });

  return {
    ...module,

    /** The weights of a customer's weighbridge, in the transaction that read its tickets. @throws {Refusal} where they can't count */
    reportIn: (db: DatabaseHandle) => {
      const parts = partsOf(db);
      const inTransaction = module.service.on(db);
      return async (
        transit: string,
        of: { grossGrams: number; tareGrams: number; grossTicket: string; tareTicket: string },
      ): Promise<void> => {
        const found = await judged(parts, transit, of.grossGrams, of.tareGrams);
        if (
          (await inTransaction.begin(tradeSystem, { ...of, ...found, source: "scale", party: "customer" })) ===
          undefined
        )
          throw refuse("process.changed");
      };
    },
  };
}
