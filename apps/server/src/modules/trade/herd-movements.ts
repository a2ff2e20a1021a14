import type { PigCategory, SaleCategory } from "@herdwise/contract";
import { type Refusal, refuse } from "../../http/errors.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { tradeSystem } from "./context.ts";
import { herdRepository, type LoadedUnit, type MovedHeads, type OrderMovement } from "./herd.repository.ts";

/** Categories of a unit's heads that a category of sale is taken from, the first ones first. */
const takenFrom: Readonly<Record<SaleCategory, readonly PigCategory[]>> = {
  outer: ["fattener"],
  inner: ["fattener"],
  local: ["fattener"],
  piglet: ["weaner", "suckling"],
  sow: ["sow", "gilt"],
  boar: ["boar"],
};

const sumOf = (rows: readonly MovedHeads[]): number => rows.reduce((sum, { heads }) => sum + heads, 0);

/** Heads by category that leave a unit; fewer than asked where it has no more. */
function drawn(category: SaleCategory, held: readonly MovedHeads[], heads: number): MovedHeads[] {
  let left = heads;
  return takenFrom[category].flatMap((own) => {
    const taken = Math.min(left, Math.max(held.find((row) => row.category === own)?.heads ?? 0, 0));
    left -= taken;
    return taken > 0 ? [{ category: own, heads: -taken }] : [];
  });
}

/**
 * Movements of a unit's heads by its orders: they leave when the order is loaded, and what was weighed corrects them by a line of its own.
 * @param db a pool or the transaction of a step
 */
export function herdMovements(db: DatabaseHandle, nextId: () => string) {
  const herd = herdRepository(db);
  const short = ({ unitName }: LoadedUnit, held: number, asked: number): Refusal =>
    refuse("sale_order.herd_short", { values: { unit: unitName, free: Math.max(held, 0), heads: asked } });

  /** Heads of the categories that an order may take. */
  const heldFor = async (unit: LoadedUnit): Promise<MovedHeads[]> =>
    (await herd.categories(tradeSystem, unit.unit)).filter(({ category }) =>
      takenFrom[unit.category].includes(category),
    );

  const write = async (
    by: TenantScope | SystemScope,
    order: string,
    unit: LoadedUnit,
    movements: readonly OrderMovement[],
  ): Promise<void> => {
    await herd.move(tradeSystem, unit, { order, accountId: accountOf(by), movements });
    const change = { field: "headCount", before: unit.headCount, after: unit.headCount + sumOf(movements) };
    const entry = { resource: "unit", rowId: unit.unit, rowTitle: unit.unitName, action: "update" as const };
    await auditRepository(db).append(unit.tenantId, by, [{ ...entry, changes: [change] }], nextId);
  };

  return {
    /** Why an order can't be loaded: its unit has fewer heads of its category. */
    async loadRefusal(order: string, heads: number): Promise<Refusal | undefined> {
      const unit = await herd.unitOf(tradeSystem, order);
      if (unit === undefined) return undefined;
      const held = sumOf(await heldFor(unit));
      return held < heads ? short(unit, held, heads) : undefined;
    },

    /**
     * Takes the heads of an order out of its unit. Nothing happens where its plan names none.
     * @throws {Refusal} 400 where the unit has fewer heads
     */
    async load(
      by: TenantScope | SystemScope,
      { id, number, heads }: { id: string; number: string; heads: number },
    ): Promise<void> {
      const unit = await herd.unitOf(tradeSystem, id, true);
      if (unit === undefined) return;
      const held = await heldFor(unit);
      if (sumOf(held) < heads) throw short(unit, sumOf(held), heads);
      await write(
        by,
        id,
        unit,
        drawn(unit.category, held, heads).map((row) => ({
          ...row,
          id: nextId(),
          kind: "sale",
          countedHeads: null,
          reason: number,
        })),
      );
    },

    /**
     * Corrects what left the unit with an order to the heads that were weighed, by a line of its own; nothing where they are the same.
     * @throws {Refusal} 400 where more were weighed than the unit had
     */
    async weigh(
      by: TenantScope | SystemScope,
      { id, number }: { id: string; number: string },
      weighed: number,
    ): Promise<void> {
      const unit = await herd.unitOf(tradeSystem, id, true);
      if (unit === undefined) return;
      const moved = await herd.movedBy(tradeSystem, id);
      const [first] = moved;
      // Loaded before heads left the inventory.
      if (first === undefined) return;
      const loaded = -sumOf(moved);
      if (loaded === weighed) return;
      const held = (await heldFor(unit)).find(({ category }) => category === first.category)?.heads ?? 0;
      const heads = loaded - weighed;
      if (held + heads < 0) throw short(unit, held, -heads);
      const reason = `${number} ${loaded} → ${weighed}`;
      const line = { category: first.category, heads, countedHeads: held + heads, reason };
      await write(by, id, unit, [{ ...line, id: nextId(), kind: "correction" }]);
    },
  };
}
