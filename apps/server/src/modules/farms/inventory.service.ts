import {
  type BodyOf,
  type inventoryExport,
  type inventoryHistory,
  type inventoryPage,
  type MovementInput,
  maxBackdatingDays,
  movementKinds,
  plainText,
  type QueryOf,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDateTime } from "../../http/present.ts";
import { makeSheetFile, ownScopeOf, rowsByParts } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { SheetColumn } from "../sheets/index.ts";
import type { InventoryPlace, InventoryRepository, InventoryUnit, NewMovement } from "./inventory.repository.ts";

const dayMs = 86_400_000;
/** Clocks of people and servers differ a little. */
const aheadMs = 60_000;
const mostPoints = 2000;
const rowsAtOnce = 1000;
const exportKind = "inventory.export";

const kindNames: Readonly<Record<MovementInput["kind"], string>> = {
  arrival: "转入",
  transfer: "转群",
  death: "死亡",
  cull: "淘汰",
  sale: "出售",
  correction: "盘点更正",
};

const sheetColumns: readonly SheetColumn[] = [
  { key: "happenTime", header: "时间", type: "dateTime", width: 20 },
  { key: "farmName", header: "场区", width: 20 },
  { key: "houseName", header: "猪舍", width: 18 },
  { key: "unitName", header: "单元", width: 14 },
  { key: "kind", header: "变动", width: 12 },
  { key: "category", header: "类别", width: 12 },
  { key: "heads", header: "增减（头）", type: "number", width: 12 },
  { key: "headsAfter", header: "之后（头）", type: "number", width: 12 },
  { key: "otherUnitName", header: "对方单元", width: 18 },
  { key: "countedHeads", header: "盘点数（头）", type: "number", width: 12 },
  { key: "reason", header: "原因", width: 30 },
  { key: "actorName", header: "登记人", width: 12 },
];

interface InventoryTransaction {
  inventory: InventoryRepository;
  audit: AuditRepository;
}

export interface InventoryDependencies {
  repository: InventoryRepository;
  inTransaction<T>(work: (to: InventoryTransaction) => Promise<T>): Promise<T>;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  /** Chinese names of the categories of pigs. */
  categoryNames: ReadonlyMap<string, string>;
  now: () => number;
  nextId: () => string;
}

/** Heads of units by their movements. Nothing else changes them; see the triggers of inventory_movements. */
export function createInventoryService(dependencies: InventoryDependencies) {
  const { repository, inTransaction, jobs, files, categoryNames, now, nextId } = dependencies;

  const requireUnit = async (scope: TenantScope, id: string): Promise<InventoryUnit> => {
    const unit = await repository.unit(scope, id);
    if (unit === undefined) throw refuse("unit.not_found");
    return unit;
  };
  const requirePlace = async (scope: TenantScope, place: InventoryPlace): Promise<void> => {
    if (!(await repository.reaches(scope, place))) throw refuse("row.not_found");
  };

  const requireMoment = ({ kind, happenedAt }: MovementInput): Date => {
    const at = happenedAt ?? now();
    // A count is of what stands there; at another time something else stood there.
    if (kind === "correction") return new Date(now());
    if (at > now() + aheadMs) throw refuse("inventory.in_future", { field: "happenedAt" });
    if (at < now() - maxBackdatingDays * dayMs)
      throw refuse("inventory.too_early", { field: "happenedAt", values: { days: maxBackdatingDays } });
    return new Date(Math.min(at, now()));
  };

  /** Heads by which a movement changes its unit. @param held heads of the category now */
  const changeOf = ({ kind, heads, countedHeads, reason }: MovementInput, held: number): number => {
    if (kind === "correction") {
      if (countedHeads === undefined) throw refuse("inventory.counted_missing", { field: "countedHeads" });
      if (!plainText(reason ?? "")) throw refuse("inventory.reason_missing", { field: "reason" });
      if (countedHeads === held) throw refuse("inventory.nothing_to_correct", { field: "countedHeads" });
      return countedHeads - held;
    }
    if (heads === undefined) throw refuse("inventory.heads_missing", { field: "heads" });
    return kind === "arrival" ? heads : -heads;
  };

  const requireRoom = (unit: InventoryUnit, more: number, accepted: boolean | undefined): void => {
    const over = unit.headCount + more - unit.capacity;
    if (more > 0 && over > 0 && unit.capacity > 0 && !accepted)
      throw refuse("inventory.over_capacity", {
        field: "acceptOverCapacity",
        values: { unit: unit.name, capacity: unit.capacity, over },
      });
  };

  const run: BackgroundJobDefinition<InventoryPlace & { scope: TenantReach }>["run"] = async (
    { scope: reach, ...place },
    of,
  ) => {
    const scope = ownScopeOf(reach);
    const { total } = await repository.page(scope, place, [], { offset: 0, limit: 1 });
    async function* rows() {
      const parts = rowsByParts<Awaited<ReturnType<typeof repository.after>>[number]>(of, total, rowsAtOnce, (last) =>
        repository.after(scope, place, last?.id ?? "0", rowsAtOnce),
      );
      for await (const { happenTime, kind, category, countedHeads, ...row } of parts)
        yield {
          ...row,
          happenTime: wireDateTime(happenTime),
          kind: kindNames[kind],
          category: categoryNames.get(category) ?? category,
          countedHeads: countedHeads ?? "",
        };
    }
    return makeSheetFile(files, of, { name: "存栏台账.xlsx", columns: sheetColumns, rows: rows() });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async detail(scope: TenantScope, unitId: string) {
      const { id, name, batchFrom, ...unit } = await requireUnit(scope, unitId);
      const [categories, loss] = await Promise.all([
        repository.categories(scope, id),
        repository.lossSince(scope, id, batchFrom),
      ]);
      return { ...unit, ...loss, unitId: id, unitName: name, categories };
    },

    async page(scope: TenantScope, { kind, farmId, houseId, unitId, ...query }: QueryOf<typeof inventoryPage>) {
      const place = { farmId, houseId, unitId };
      await requirePlace(scope, place);
      const kinds = (kind ?? "").split(",").filter((one) => one !== "");
      if (kinds.some((one) => !movementKinds.some((known) => known === one)))
        throw refuse("parameter.invalid", { values: { field: "kind" } });
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, place, kinds, request);
      return pageOfRows(
        rows.map(({ countedHeads, ...row }) => ({ ...row, ...(countedHeads === null ? {} : { countedHeads }) })),
        total,
        request,
      );
    },

    async history(scope: TenantScope, { days = 180, ...place }: QueryOf<typeof inventoryHistory>) {
      await requirePlace(scope, place);
      const end = now();
      const start = end - days * dayMs;
      const points = await repository.history(scope, place, new Date(start), mostPoints);
      return { start, end, points: points.map(({ at, heads }): [number, number] => [at.getTime(), heads]) };
    },

    /**
     * Writes a movement down.
     * @param key of the submit: sent again with the same, nothing is written again
     * @throws Refusal 404 for a unit out of reach; 400 where heads would go below zero, or beyond a capacity without consent
     */
    async submit(scope: TenantScope, input: MovementInput, key: string | undefined) {
      const { unitId, kind, category, toUnitId, acceptOverCapacity } = input;
      const happenedAt = requireMoment(input);
      if (kind === "transfer" && toUnitId === undefined)
        throw refuse("inventory.target_missing", { field: "toUnitId" });
      if (kind === "transfer" && toUnitId === unitId) throw refuse("inventory.same_unit", { field: "toUnitId" });
      const targetId = kind === "transfer" ? toUnitId : undefined;
      return inTransaction(async ({ inventory, audit }) => {
        const held = await inventory.lockedUnits(scope, targetId === undefined ? [unitId] : [unitId, targetId]);
        const unit = held.find(({ id }) => id === unitId);
        const target = held.find(({ id }) => id === targetId);
        if (unit === undefined || (targetId !== undefined && target === undefined)) throw refuse("unit.not_found");
        const id = nextId();
        if (key !== undefined && !(await inventory.claimKey(scope, key, id)))
          return { units: held.map((one) => ({ unitId: one.id, before: one.headCount, after: one.headCount })) };
        for (const one of held) if (!one.inUse) throw refuse("inventory.retired", { values: { unit: one.name } });
        const before = (await inventory.categories(scope, unitId)).find((one) => one.category === category)?.heads ?? 0;
        const heads = changeOf(input, before);
        if (before + heads < 0)
          throw refuse("inventory.below_zero", { field: "heads", values: { count: before, asked: -heads } });
        requireRoom(unit, heads, acceptOverCapacity);
        if (target !== undefined) requireRoom(target, -heads, acceptOverCapacity);
        const otherId = nextId();
        const movement: NewMovement = {
          id,
          unitId,
          kind,
          category,
          heads,
          otherUnitId: target?.id ?? null,
          otherMovementId: target ? otherId : null,
          countedHeads: kind === "correction" ? (input.countedHeads ?? null) : null,
          reason: plainText(input.reason ?? ""),
          happenedAt,
        };
        await inventory.add(scope, [
          movement,
          ...(target
            ? [{ ...movement, id: otherId, unitId: target.id, heads: -heads, otherUnitId: unitId, otherMovementId: id }]
            : []),
        ]);
        // Written down for an earlier time, it comes before what has happened since.
        if ((await inventory.fewest(scope, unitId, category)) < 0)
          throw refuse("inventory.below_zero_then", { field: "happenedAt" });
        const units = held.map((one) => ({
          unitId: one.id,
          before: one.headCount,
          after: one.headCount + (one.id === unitId ? heads : -heads),
        }));
        await audit.append(
          scope.tenantId,
          scope,
          units.map((one) => ({
            resource: "unit",
            rowId: one.unitId,
            rowTitle: held.find((row) => row.id === one.unitId)?.name ?? "",
            action: "update" as const,
            changes: [{ field: "headCount", before: one.before, after: one.after }],
          })),
          nextId,
        );
        return { units };
      });
    },

    async export(scope: TenantScope, place: BodyOf<typeof inventoryExport>) {
      await requirePlace(scope, place);
      return { jobId: await jobs.submit(scope, exportKind, "导出存栏台账", { ...place, scope: reachOf(scope) }) };
    },
  };
}
export type InventoryService = ReturnType<typeof createInventoryService>;
