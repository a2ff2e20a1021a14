import { weighingProcess, weighings } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { arrivalRepository } from "./arrival.repository.ts";
import { byAnother, type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";
import { transitRepository } from "./transit.repository.ts";
import { washRefusal } from "./transits.ts";

type WeighingRow = RowOf<typeof weighingProcess, { number: string; order: string; plate: string }>;

export type WeighingModule = ReturnType<typeof weighingModule>;

/**
 * Weighings while an order is loaded: by hand, confirmed by a second person, or made of a weighbridge's tickets.
 * @param releaseIn gives the tickets of a weighing back
 */
export const weighingModule = (
  context: TradeContext,
  releaseIn: (db: DatabaseHandle) => (weighing: string) => Promise<void>,
) =>
  processModule(context, weighingProcess, weighings, {
    parts: (db: DatabaseHandle) => ({
      db,
      trade: tradeRepository(db),
      vehicles: transitRepository(db),
      arrivals: arrivalRepository(db),
      release: releaseIn(db),
    }),
    partyOf: (row: WeighingRow, by) => (by.tenantId === row.tenantId ? undefined : "desk"),
    async begin({ asks, parts }) {
      if (Number(asks.tareGrams) >= Number(asks.grossGrams)) throw refuse("weighing.tare", { field: "tareGrams" });
      const order = await parts.trade.orderAt(tradeSystem, String(asks.order));
      if (order?.state !== "loading") throw refuse("weighing.not_loading", { field: "order" });
      const plate = String(asks.plate);
      const vehicle = (await parts.vehicles.ofOrder(tradeSystem, String(asks.order))).find(
        (one) => one.plate === plate,
      );
      if (vehicle === undefined) throw refuse("weighing.no_transit", { field: "plate", values: { plate } });
      const held = washRefusal(vehicle, "plate");
      if (held !== undefined) throw held;
      return { tenantId: order.tenantId };
    },
    guards: {
      confirm: ({ createdBy }, _parts, by) => byAnother([createdBy], by, "weighing.own"),
      async discard({ order, plate }, { trade, arrivals }) {
        const at = await trade.orderAt(tradeSystem, order);
        if (at?.state !== "loading") return refuse("weighing.settled");
        return (await arrivals.isReported(tradeSystem, order, plate))
          ? refuse("weighing.arrived", { values: { plate } })
          : undefined;
      },
    },
    after: { discard: ({ row, parts }) => parts.release(row.id) },
    receivers: { desk: { of: (_row, { db }) => context.deskOf("weighing_edit", db) } },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
