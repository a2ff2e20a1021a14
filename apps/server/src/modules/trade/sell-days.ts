import {
  bandsOf,
  latePriceDays,
  type SellDaysDetail,
  sellDaysDetail,
  slotsOf,
  vehiclesIn,
  vehiclesNeeded,
} from "@herdwise/contract";
import {
  heavyGrams,
  priceMove,
  priceSpread,
  sellDayAfter,
  sellDaysAhead,
  usualConversion,
  usualCosts,
} from "@herdwise/contract/sell-days";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { usualGainsGrams, usualWeightKg } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { storedBands, storedSlots } from "../trade-settings/index.ts";
import { planBoardRepository } from "./plan-board.repository.ts";
import { type SoldUnitRow, sellDaysRepository } from "./sell-days.repository.ts";

/** Units whose pigs grow for slaughter. */
const growing: readonly string[] = ["piglet", "fattening", "integrated"];
const yearDays = 365;

/** Best days to sell: what they are worked out from; the browser works them out, so that its sliders need no call. */
export function sellDaysModule({ kysely, now }: Platform, groupTenantId: string): ServerModule {
  const stored = sellDaysRepository(kysely);
  const board = planBoardRepository(kysely);

  async function fieldOf(field: string, days: readonly string[]): Promise<SellDaysDetail["field"]> {
    const [plans, slots] = await Promise.all([
      board.plans(days[0] ?? "", days.at(-1) ?? "", [field]),
      storedSlots(kysely, [field]),
    ]);
    return {
      id: field,
      days: days.map((day) => {
        const open = slotsOf(day, slots);
        const own = plans.filter((plan) => plan.day === day);
        return { day, capacity: vehiclesIn(open), taken: vehiclesNeeded(own, open) };
      }),
    };
  }

  /** Bands of the days, each time they change. */
  async function bandsFrom(
    days: readonly string[],
    region: string,
    breed: SellDaysDetail["price"]["breed"],
  ): Promise<SellDaysDetail["bands"]> {
    const rows = await storedBands(kysely, [breed]);
    const all = days.map((from) => ({
      from,
      bands: bandsOf(from, region, breed, rows).map(({ fromGrams, toGrams, adjustmentFen }) => ({
        fromGrams,
        toGrams,
        adjustmentFen,
      })),
    }));
    return all.filter(({ bands }, at) => JSON.stringify(bands) !== JSON.stringify(all[at - 1]?.bands));
  }

  /** Mean weight of a head and its age; the archive's weight is preferred to the usual one. @throws {Refusal} without both */
  function weightOf({ weightGrams, ageDays, name }: SoldUnitRow) {
    const age = ageDays !== null && ageDays >= 0 ? ageDays : undefined;
    if (weightGrams !== null && weightGrams > 0) return { age, grams: weightGrams, from: "archive" as const };
    if (age === undefined) throw refuse("sell_days.no_weight", { values: { unit: name } });
    return { age, grams: Math.round(usualWeightKg(age) * 1000), from: "age" as const };
  }

  return {
    routes(router) {
      router.on(sellDaysDetail, async ({ scope, query: { unitId, breed = "outer" } }): Promise<SellDaysDetail> => {
        const today = shanghaiDay(now());
        const unit = await stored.unit(scope, unitId, today, groupTenantId);
        if (unit === undefined) throw refuse("sell_days.not_found");
        const values = { unit: `${unit.houseName} ${unit.name}` };
        if (!growing.includes(unit.pigstyType)) throw refuse("sell_days.not_fattening", { values });
        if (unit.heads === 0) throw refuse("sell_days.no_heads", { values });
        const { age, grams, from } = weightOf({ ...unit, name: values.unit });
        if (unit.province === "") throw refuse("sell_days.no_region", { values: { farm: unit.farmName } });
        const prices = await stored.prices(unit.province, breed, sellDayAfter(today, -yearDays), today);
        const trend = priceMove(prices);
        if (trend === undefined || trend.day < sellDayAfter(today, -latePriceDays))
          throw refuse("sell_days.no_price", { values: { days: latePriceDays } });
        const days = Array.from({ length: sellDaysAhead + 1 }, (_, at) => sellDayAfter(today, at));
        const [bands, field] = await Promise.all([
          bandsFrom(days, unit.saleRegion ?? "", breed),
          unit.field === null ? undefined : fieldOf(unit.field, days),
        ]);
        const { medicine, given, until } = unit;
        return {
          unit: {
            id: unit.id,
            name: unit.name,
            houseName: unit.houseName,
            farmName: unit.farmName,
            heads: unit.heads,
          },
          today,
          ...(age !== undefined && { ageDays: age }),
          weightGrams: grams,
          weightFrom: from,
          gains: usualGainsGrams(grams, age, sellDaysAhead),
          feed: {
            nowThousandths: usualConversion(grams),
            heavyThousandths: usualConversion(heavyGrams),
            fenPerKg: usualCosts.feedFenPerKg,
          },
          otherFenPerDay: usualCosts.otherFenPerDay,
          price: { regionCode: unit.province, breed, ...trend, ...priceSpread(prices) },
          bands,
          ...(until !== null && { withdrawal: { medicine: medicine ?? "", given: given ?? "", until } }),
          ...(field && { field }),
        };
      });
    },
  };
}
