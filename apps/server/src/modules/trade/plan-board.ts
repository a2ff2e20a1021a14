import {
  headsToLoad,
  type PlanBoard,
  type PlanConflictKind,
  planBoard,
  planConflicts,
  slotsOf,
  vehiclesIn,
  vehiclesNeeded,
} from "@herdwise/contract";
import { isDay } from "@herdwise/contract/real-name-checks";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { storedBands, storedSlots } from "../trade-settings/index.ts";
import { planBoardRepository } from "./plan-board.repository.ts";

const dayMs = 86_400_000;

/** Days of the week that begins on a Monday. @throws {Refusal} 400 for another day, or none */
function weekOf(from: string): string[] {
  const start = new Date(`${from}T00:00:00Z`);
  if (!isDay(from) || start.getUTCDay() !== 1) throw refuse("sale_plan.week", { field: "from" });
  return Array.from({ length: 7 }, (_, at) => new Date(start.getTime() + at * dayMs).toISOString().slice(0, 10));
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** The week board of sale plans. */
export function planBoardModule({ kysely, now }: Platform): ServerModule {
  const stored = planBoardRepository(kysely);

  async function board(from: string, region: string): Promise<PlanBoard> {
    const week = weekOf(from);
    const to = week.at(-1) ?? from;
    const today = shanghaiDay(now());
    const fields = await stored.fields(from, to, region);
    const ids = fields.map(({ id }) => id);
    const [plans, slots] = await Promise.all([stored.plans(from, to, ids), storedSlots(kysely, ids)]);
    const bands = await storedBands(kysely, [...new Set(plans.map(({ category }) => category))]);
    const days = fields.flatMap((field) => {
      const own = slots.filter(({ fieldId }) => fieldId === field.id);
      return week.map((day) => ({ field: field.id, region: field.region, day, slots: slotsOf(day, own) }));
    });
    const cells = days.map((at) => {
      const own = plans.filter(({ field, day }) => field === at.field && day === at.day);
      return {
        field: at.field,
        day: at.day,
        slots: at.slots,
        capacity: vehiclesIn(at.slots),
        vehicles: vehiclesNeeded(own, at.slots),
        plans: own.map(({ pricePerKg, ...plan }) => ({ ...plan, ...(pricePerKg !== null && { pricePerKg }) })),
      };
    });
    const conflicts = planConflicts({ plans, days, bands, today });
    const headsOf = (...states: readonly string[]): number =>
      sum(plans, (plan) => (states.includes(plan.state) ? headsToLoad(plan) : 0));
    const found = (wanted: PlanConflictKind): number => conflicts.filter(({ kind }) => kind === wanted).length;
    return {
      from,
      today,
      fields: fields.map(({ id, name }) => ({ id, name, days: cells.filter(({ field }) => field === id) })),
      fieldsLeft: (fields[0]?.total ?? 0) - fields.length,
      totals: {
        plans: plans.length,
        heads: headsOf("draft", "approved", "published", "closed"),
        approvedHeads: headsOf("approved", "published", "closed"),
        publishedHeads: headsOf("published", "closed"),
        soldHeads: sum(plans, ({ taken }) => taken),
        vehicles: sum(cells, ({ vehicles }) => vehicles),
        capacity: sum(cells, ({ capacity }) => capacity),
        conflicts: {
          no_slot: found("no_slot"),
          over_capacity: found("over_capacity"),
          no_band: found("no_band"),
          no_price: found("no_price"),
        },
      },
      conflicts,
    };
  }

  return {
    routes(router) {
      router.on(planBoard, ({ query }) => board(query.from, query.region ?? ""));
    },
  };
}
