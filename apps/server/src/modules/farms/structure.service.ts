import type { BodyOf, QueryOf, structureList, structureMove } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { MovedKind, StructureRepository } from "./structure.repository.ts";

/** Name of the resource of each kind of place, under which its changes are written down. */
const resourceOf = { farm: "farm", house: "pig_house", unit: "unit" } as const;

export interface StructureDependencies {
  repository: StructureRepository;
  inTransaction<T>(work: (to: { structure: StructureRepository; audit: AuditRepository }) => Promise<T>): Promise<T>;
  nextId: () => string;
}

/** The tree of farms, houses, units and devices, a level at a time, and the order of what stands in it. */
export function createStructureService({ repository, inTransaction, nextId }: StructureDependencies) {
  return {
    list(scope: TenantScope, { farmId, houseId, unitId }: QueryOf<typeof structureList>) {
      if (unitId) return repository.ofUnit(scope, unitId);
      if (houseId) return repository.ofHouse(scope, houseId);
      if (farmId) return repository.ofFarm(scope, farmId);
      return repository.farms(scope);
    },
    search: (scope: TenantScope, keyword: string) => repository.search(scope, keyword.trim()),

    /**
     * Puts a place somewhere else. What stands in it and its devices go along.
     * @throws Refusal 404, 400 without a place to go to, 409 when somebody else was quicker
     */
    async move(scope: TenantScope, { kind, id, parentId, beforeId, version }: BodyOf<typeof structureMove>) {
      await inTransaction(async ({ structure, audit }) => {
        await structure.begin(scope);
        const seen = await structure.place(scope, kind, id);
        if (seen === undefined) throw refuse("row.not_found");
        if (version !== undefined && version !== seen.version) throw refuse("structure.changed_meanwhile");
        const to = kind === "farm" ? null : (parentId ?? seen.parentId);
        const others = (await structure.siblings(scope, kind, to))?.filter((other) => other !== id);
        if (others === undefined) throw refuse("structure.parent_missing", { field: "parentId" });
        await structure.hold(scope, kind, [...others, id]);
        if (to !== null && to !== seen.parentId && !(await structure.put(scope, kind, seen, to)))
          throw refuse("structure.changed_meanwhile");
        const at = beforeId === undefined ? -1 : others.indexOf(beforeId);
        await structure.setPlaces(scope, kind, at < 0 ? [...others, id] : others.toSpliced(at, 0, id));
        await audit.append(
          scope.tenantId,
          scope,
          [
            {
              resource: resourceOf[kind],
              rowId: id,
              rowTitle: seen.name,
              action: "move",
              changes:
                to === null || to === seen.parentId
                  ? [{ field: "sort", before: "", after: String(at < 0 ? others.length : at) }]
                  : [{ field: kind === "house" ? "farmId" : "houseId", before: seen.parentId ?? "", after: to }],
            },
          ],
          nextId,
        );
      });
    },
  };
}
export type StructureService = ReturnType<typeof createStructureService>;

/** Rules of a place as a resource: what is still in use is neither removed nor retired. @param screens where each obstacle is mended */
export function placeHooks(
  kind: MovedKind,
  screens: { devices: string; structure: string },
): ResourceHooks<StructureRepository> {
  return {
    async beforeSave({ held, values, scope, extra }) {
      if (held === undefined || values.status !== "0" || held.status === "0") return;
      const heads = (await extra.heads(scope, kind, [held.id])).get(held.id);
      if (heads !== undefined) throw refuse("place.occupied", { field: "status", values: { count: heads } });
    },
    async obstacles({ ids, scope, extra }) {
      const addresses = new Map(
        (await extra.standing(scope, kind, ids)).map(({ id, farmId, houseId }) => {
          const place = new URLSearchParams({
            farm: farmId,
            ...(houseId !== null && { house: houseId }),
            ...(kind === "unit" && { unit: id }),
          });
          return [id, `${screens.structure}?${place}`];
        }),
      );
      const counted = (resource: string, counts: ReadonlyMap<string, number>) =>
        [...counts].map(([id, count]) => ({ id, resource, count, path: addresses.get(id) ?? screens.structure }));
      const heads = counted("存栏（头）", await extra.heads(scope, kind, ids));
      const devices = (await extra.devices(scope, kind, ids)).map(({ farmId, ...device }) => ({
        ...device,
        resource: "设备",
        path: `${screens.devices}?farm=${farmId}`,
      }));
      const movements = kind === "unit" ? counted("存栏变动记录", await extra.movements(scope, ids)) : [];
      return [...heads, ...devices, ...movements];
    },
  };
}
