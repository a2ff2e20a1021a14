import { fieldsOf, type ResourceDeclaration, resources } from "@herdwise/contract";
import type { AuditRepository } from "../modules/audit/index.ts";
import type { TenantScope } from "../tenant-scope.ts";
import type { ResourceRepository, StoredRow } from "./resource.repository.ts";
import type { Values } from "./resource-values.ts";

/** Repositories of one transaction. */
export interface ResourceTransaction {
  rows: ResourceRepository;
  audit: AuditRepository;
}

/** What stands in the way of removing a row: rows of another resource, or something that a hook knows. */
export interface Obstacle {
  id: string;
  title: string;
  /** Chinese name of what uses the row. */
  resource: string;
  count: number;
}

/** Rules across rows and what else belongs to a change, run in its transaction. */
export interface ResourceHooks<Extra = unknown> {
  /** Makes the repositories of a hook for a transaction; see `resourceModule`. */
  beforeSave?(of: {
    /** Undefined for a new row. */
    held: StoredRow | undefined;
    /** The whole row as it will be; a hook may change it. */
    values: Values;
    tenantId: string;
    parentId: string | null;
    scope: TenantScope;
    /** Rows of the resource in this transaction. */
    rows: ResourceRepository;
    extra: Extra;
  }): Promise<void>;
  beforeRemove?(of: { rows: readonly StoredRow[]; scope: TenantScope; extra: Extra }): Promise<void>;
  /** What uses these rows beside other resources. */
  obstacles?(of: {
    ids: readonly string[];
    scope: TenantScope;
    extra: Extra;
  }): Promise<readonly { id: string; resource: string; count: number }[]>;
}

/** Other resources that name rows of this one. */
const referrersOf = (of: ResourceDeclaration) =>
  resources.flatMap((resource: ResourceDeclaration) =>
    fieldsOf(resource)
      .filter(([, field]) => field.kind === "reference" && field.to === of.name)
      .map(([field]) => ({ resource, field })),
  );

/** Finds what stands in the way of removing rows of a resource. */
export function obstacleFinder<Extra>(of: ResourceDeclaration, hooks: ResourceHooks<Extra>) {
  const referrers = referrersOf(of);
  return async (
    from: ResourceRepository,
    extra: Extra,
    scope: TenantScope,
    ids: readonly string[],
    titles: ReadonlyMap<string, string>,
  ): Promise<Obstacle[]> => {
    const found: Obstacle[] = [];
    const add = (id: string, resource: string, count: number) =>
      found.push({ id, title: titles.get(id) ?? "", resource, count });
    if (of.tree) for (const [id, count] of await from.children(scope, ids)) add(id, of.words.one, count);
    for (const by of referrers)
      for (const [id, count] of await from.usedBy(scope, ids, by)) add(id, by.resource.words.one, count);
    for (const { id, resource, count } of (await hooks.obstacles?.({ ids, scope, extra })) ?? [])
      add(id, resource, count);
    return found;
  };
}
