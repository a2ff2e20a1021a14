import {
  lacksPrice,
  planProcess,
  plans,
  type SaleCategory,
  type SaleMode,
  vehiclesIn,
  vehiclesNeeded,
} from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { modelOn, slotsOn } from "../trade-settings/index.ts";
import { biddingRepository } from "./bidding.repository.ts";
import { byAnother, type TradeContext, tradeSystem } from "./context.ts";
import { herdRefusal } from "./herd.ts";
import { tradeRepository } from "./trade.repository.ts";

type PlanRow = RowOf<
  typeof planProcess,
  {
    field: string;
    day: string;
    category: SaleCategory;
    fromKg: number;
    toKg: number;
    heads: number;
    taken: number;
    mode: SaleMode;
    pricePerKg: number | null;
    endsAt: Date;
  }
>;

const dayMs = 86_400_000;

/** What a plan's form says of more than one field. @throws {Refusal} 400 naming the field */
function checked(asks: Readonly<Record<string, unknown>>, now: number): { endsAt: Date } {
  const endsAt = new Date(shanghaiMidnight(String(asks.day)) + dayMs);
  if (endsAt.getTime() <= now) throw refuse("sale_plan.day_over", { field: "day" });
  if (asks.mode === "contract" && (asks.pricePerKg ?? null) !== null)
    throw refuse("sale_plan.contract_price", { field: "pricePerKg" });
  if (Number(asks.fromKg) >= Number(asks.toKg)) throw refuse("sale_plan.weights", { field: "toKg" });
  return { endsAt };
}

/** Sale plans: a second person approves, and what customers may order has a price. */
export function planModule(context: TradeContext) {
  const now = () => context.platform.now();
  const partsOf = (db: DatabaseHandle) => ({ db, trade: tradeRepository(db) });
  type Parts = ReturnType<typeof partsOf>;
  /** A plan is approved where its vehicles find room in the slots of its day, beside those of the other plans. */
  const roomFor = async (
    { id, field, day, heads, taken }: PlanRow,
    { db, trade }: Parts,
  ): Promise<Refusal | undefined> => {
    const slots = await slotsOn(db, field, day);
    if (slots.length === 0) return refuse("sale_plan.no_slot");
    const beside = await trade.plansBeside(tradeSystem, { id, field, day });
    const over = vehiclesNeeded([...beside, { state: "draft", heads, taken }], slots) - vehiclesIn(slots);
    if (over > 0) return refuse("sale_plan.over_capacity", { values: { over } });
    return await herdRefusal(trade, id, heads);
  };
  const sellable = async (
    { id, field, day, category, mode, pricePerKg }: PlanRow,
    { db, trade }: Parts,
  ): Promise<Refusal | undefined> => {
    if (lacksPrice({ mode, pricePerKg })) return refuse("sale_plan.no_price");
    const model = await modelOn(db, await trade.regionOf(tradeSystem, field), category, mode, day);
    return model === undefined ? refuse("sale_plan.no_model") : await herdRefusal(trade, id);
  };
  return processModule(context, planProcess, plans, {
    parts: partsOf,
    partyOf: () => "desk",
    begin: ({ asks }) => checked(asks, now()),
    guards: {
      approve: (row: PlanRow, parts, by) =>
        byAnother([row.createdBy, row.updatedBy], by, "sale_plan.own") ?? roomFor(row, parts),
      publish: sellable,
      close: async ({ id }, { db }) =>
        (await biddingRepository(db).isRunning(tradeSystem, id)) ? refuse("sale_plan.bidding") : undefined,
    },
    on: {
      revise: ({ asks, columns }) => ({ ...columns, ...checked(asks, now()) }),
      async close({ row, parts }) {
        await parts.trade.expireDeclarations(tradeSystem, row.id);
        return {};
      },
    },
    receivers: { author: { of: ({ createdBy }) => [createdBy] } },
    messages: "trade",
  });
}
