import { planProcess, plans } from "@herdwise/contract";
import { shanghaiMidnight } from "@herdwise/contract/shanghai";
import { type Refusal, refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import { accountOf } from "../../tenant-scope.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { tradeRepository } from "./trade.repository.ts";

type PlanRow = RowOf<
  typeof planProcess,
  { day: string; fromKg: number; toKg: number; mode: string; pricePerKg: number | null; endsAt: Date }
>;

const dayMs = 86_400_000;

/** What a plan's form says of more than one field. @throws {Refusal} 400 naming the field */
function checked(asks: Readonly<Record<string, unknown>>, now: number): { endsAt: Date } {
  const endsAt = new Date(shanghaiMidnight(String(asks.day)) + dayMs);
  if (endsAt.getTime() <= now) throw refuse("sale_plan.day_over", { field: "day" });
  if (Number(asks.fromKg) >= Number(asks.toKg)) throw refuse("sale_plan.weights", { field: "toKg" });
  return { endsAt };
}

/** Sale plans: a second person approves, and what customers may order has a price. */
export function planModule(context: TradeContext) {
  const now = () => context.platform.now();
  const priced = ({ mode, pricePerKg }: PlanRow): Refusal | undefined =>
    mode !== "bidding" && pricePerKg === null ? refuse("sale_plan.no_price") : undefined;
  return processModule(context, planProcess, plans, {
    parts: tradeRepository,
    partyOf: () => "desk",
    begin: ({ asks }) => checked(asks, now()),
    guards: {
      approve: ({ createdBy, updatedBy }: PlanRow, _parts, by) =>
        [createdBy, updatedBy].includes(accountOf(by) ?? "") ? refuse("sale_plan.own") : undefined,
      publish: priced,
    },
    on: {
      revise: ({ asks, columns }) => ({ ...columns, ...checked(asks, now()) }),
      async close({ row, parts }) {
        await parts.expireDeclarations(tradeSystem, row.id);
        return {};
      },
    },
    receivers: { author: { of: ({ createdBy }) => [createdBy] } },
    messages: "trade",
  });
}
