import { weighingProcess, weighings } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { byAnother, type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";
import { transitRepository } from "./transit.repository.ts";
import { washRefusal } from "./transits.ts";

type WeighingRow = RowOf<typeof weighingProcess, { number: string; order: string }>;

/** Weighings by hand, confirmed by a second person while the order is loaded. */
export const weighingModule = (context: TradeContext) =>
  processModule(context, weighingProcess, weighings, {
    parts: (db: DatabaseHandle) => ({ db, trade: tradeRepository(db), vehicles: transitRepository(db) }),
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
      async discard({ order }, parts) {
        const at = await parts.trade.orderAt(tradeSystem, order);
        return at?.state === "loading" ? undefined : refuse("weighing.settled");
      },
    },
    receivers: { desk: { of: (_row, { db }) => context.deskOf("weighing_edit", db) } },
    links: ({ order }) => [["sale_order", order]],
    messages: "trade",
  });
