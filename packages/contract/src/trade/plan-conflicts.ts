import { type BandRow, bandsOf, type LoadingSlot } from "./setting-rules.ts";
import type { SaleCategory } from "./shared.ts";

/** States of plans that stand on the board; dropped ones do not. */
export const boardStates = ["draft", "approved", "published", "closed"] as const;
export type BoardState = (typeof boardStates)[number];

/**
 * What may be wrong with plans.
 * - `no_slot`: nothing is loaded at the field on that day.
 * - `over_capacity`: more vehicles are needed than the day's slots take.
 * - `no_band`: no weight band covers the plan's weights on that day, so that a vehicle could not be settled.
 * - `no_price`: a fixed or contract price is missing.
 */
export const planConflictKinds = ["no_slot", "over_capacity", "no_band", "no_price"] as const;
export type PlanConflictKind = (typeof planConflictKinds)[number];

/** How bad each is; colours and order of the board's list. */
export const conflictSeverity = {
  no_slot: "critical",
  over_capacity: "major",
  no_band: "minor",
  no_price: "minor",
} as const satisfies Record<PlanConflictKind, string>;

/**
 * What takes a conflict away.
 * - `move`: a draft goes to another day of the week.
 * - `price`: a draft gets its price.
 * - `bands`: the weight bands get the one that is missing.
 * - `open`: the plan has to be sent back, closed or made smaller by a person.
 */
export const conflictFixes = ["move", "price", "bands", "open"] as const;

/** What conflicts of a plan are found from. Weights are kg, the price is fen per kg. */
export interface PlannedLot {
  id: string;
  field: string;
  /** yyyy-MM-dd. */
  day: string;
  category: SaleCategory;
  fromKg: number;
  toKg: number;
  heads: number;
  /** Heads that are sold. */
  taken: number;
  mode: string;
  state: BoardState;
  pricePerKg?: number | null | undefined;
}

/** A day at a field, with the slots that hold. */
export interface FieldDay {
  field: string;
  /** Id of the field's sale region; empty for none. */
  region: string;
  /** yyyy-MM-dd. */
  day: string;
  slots: readonly LoadingSlot[];
}

export interface PlanConflict {
  kind: PlanConflictKind;
  severity: (typeof conflictSeverity)[PlanConflictKind];
  field: string;
  day: string;
  /** Ids of the plans that must not go on; of a day over its capacity those that find no vehicle. */
  plans: string[];
  /** By how many vehicles a day is over its capacity; 0 for other kinds. */
  vehicles: number;
  fix: { act: (typeof conflictFixes)[number]; plan: string; day?: string };
}

/** Heads that a plan brings to the vehicles: of a closed one those that were sold. */
export const headsToLoad = ({ state, heads, taken }: Pick<PlannedLot, "state" | "heads" | "taken">): number =>
  state === "closed" ? taken : heads;

/** Vehicles that the slots of a day take. */
export const vehiclesIn = (slots: readonly LoadingSlot[]): number =>
  slots.reduce((sum, { mostVehicles }) => sum + mostVehicles, 0);

/** Vehicles that heads need, by the smallest vehicle of the day so that they fit in any slot; 0 on a day without slots. */
export const vehiclesFor = (heads: number, slots: readonly LoadingSlot[]): number =>
  slots.length === 0 ? 0 : Math.ceil(heads / Math.min(...slots.map(({ headsPerVehicle }) => headsPerVehicle)));

/** Vehicles that plans of one field and day need, each its own. */
export const vehiclesNeeded = (
  plans: readonly Pick<PlannedLot, "state" | "heads" | "taken">[],
  slots: readonly LoadingSlot[],
): number => plans.reduce((sum, plan) => sum + vehiclesFor(headsToLoad(plan), slots), 0);

/** Whether a plan lacks the price without which it can't be published; bids make that of a lot, contracts that of a customer. */
export const lacksPrice = ({ mode, pricePerKg }: Pick<PlannedLot, "mode" | "pricePerKg">): boolean =>
  mode === "fixed" && (pricePerKg ?? null) === null;

/** Whether bands cover all weights between two, without a gap. Bounds are kg, bands lightest first. */
function isCovered(fromKg: number, toKg: number, bands: readonly BandRow[]): boolean {
  let upTo = fromKg * 1000;
  for (const { fromGrams, toGrams } of bands) if (fromGrams <= upTo) upTo = Math.max(upTo, toGrams);
  return upTo >= toKg * 1000;
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** Who keeps the vehicles of a full day: what is sold, then what customers see, then what was approved. */
const claims: readonly BoardState[] = ["closed", "published", "approved", "draft"];
const byClaim = (a: PlannedLot, b: PlannedLot): number =>
  claims.indexOf(a.state) - claims.indexOf(b.state) || a.id.length - b.id.length || (a.id < b.id ? -1 : 1);

/**
 * Finds what is wrong with plans, worst first and then by day.
 * @param plans all of these fields and days, and none that is dropped
 * @param days each field on each day that a plan may move to
 * @param bands of all regions and categories
 * @param today yyyy-MM-dd in Asia/Shanghai; nothing moves to a day before it
 */
export function planConflicts({
  plans,
  days,
  bands,
  today,
}: {
  plans: readonly PlannedLot[];
  days: readonly FieldDay[];
  bands: readonly BandRow[];
  today: string;
}): PlanConflict[] {
  const plansOf = (at: FieldDay): PlannedLot[] =>
    plans.filter(({ field, day }) => field === at.field && day === at.day).sort(byClaim);
  /** The nearest other day that takes all of a plan, of two the later one. */
  const dayWithRoom = (plan: PlannedLot): string | undefined => {
    const away = ({ day }: FieldDay): number => Math.abs(dayNumber(day) - dayNumber(plan.day));
    return days
      .filter((at) => at.field === plan.field && at.day !== plan.day && at.day >= today && at.slots.length > 0)
      .filter((at) => vehiclesNeeded([...plansOf(at), plan], at.slots) <= vehiclesIn(at.slots))
      .sort((a, b) => away(a) - away(b) || (a.day < b.day ? 1 : -1))[0]?.day;
  };
  /** Moves the first draft for which there is room. */
  const movedOf = (of: readonly PlannedLot[]): PlanConflict["fix"] => {
    for (const plan of of) {
      const day = plan.state === "draft" ? dayWithRoom(plan) : undefined;
      if (day !== undefined) return { act: "move", plan: plan.id, day };
    }
    return { act: "open", plan: of.at(-1)?.id ?? "" };
  };
  return days
    .flatMap((at): PlanConflict[] => {
      const all = plansOf(at);
      const open = all.filter(({ state }) => state !== "closed");
      const found = (
        kind: PlanConflictKind,
        of: readonly PlannedLot[],
        fix: PlanConflict["fix"],
        vehicles = 0,
      ): PlanConflict => ({
        kind,
        severity: conflictSeverity[kind],
        field: at.field,
        day: at.day,
        plans: of.map(({ id }) => id),
        vehicles,
        fix,
      });
      const conflicts: PlanConflict[] = [];
      let free = vehiclesIn(at.slots);
      if (open.length > 0 && at.slots.length === 0) conflicts.push(found("no_slot", open, movedOf(open)));
      else {
        const missing = vehiclesNeeded(all, at.slots) - free;
        const over = all.filter((plan) => {
          const own = vehiclesFor(headsToLoad(plan), at.slots);
          if (own > free) return plan.state !== "closed";
          free -= own;
          return false;
        });
        if (over.length > 0) conflicts.push(found("over_capacity", over, movedOf(over), missing));
      }
      for (const plan of open) {
        if (!isCovered(plan.fromKg, plan.toKg, bandsOf(at.day, at.region, plan.category, bands)))
          conflicts.push(found("no_band", [plan], { act: "bands", plan: plan.id }));
        if (lacksPrice(plan))
          conflicts.push(found("no_price", [plan], { act: plan.state === "draft" ? "price" : "open", plan: plan.id }));
      }
      return conflicts;
    })
    .sort(
      (a, b) =>
        planConflictKinds.indexOf(a.kind) - planConflictKinds.indexOf(b.kind) ||
        (a.day === b.day ? 0 : a.day < b.day ? -1 : 1),
    );
}
