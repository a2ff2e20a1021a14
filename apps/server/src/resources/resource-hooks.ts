import { fieldsOf, type Problem, type ResourceDeclaration, resources } from "@herdwise/contract";
import type { Reason } from "../http/reasons.ts";
import type { AuditRepository } from "../modules/audit/index.ts";
import type { TenantScope } from "../tenant-scope.ts";
import type { ResourceRepository, StoredRow } from "./resource.repository.ts";
import type { Values } from "./resource-values.ts";

/** Repositories of one transaction. */
export interface ResourceTransaction {
  rows: ResourceRepository;
  audit: AuditRepository;
}

/** An obstacle to removing a row: rows of another resource, or something that a hook reports. */
export interface Obstacle {
  id: string;
  title: string;
  /** Chinese name of what uses the row. */
  resource: string;
  count: number;
  /** Names of the first few of them. */
  names?: readonly string[];
  /** Path of the screen that shows them. */
  path?: string;
}

/** A module's rules across rows, and its further changes, run in the transaction of a change. */
export interface ResourceHooks<Extra = unknown> {
  /** Refusal of a value that another row has, where the family has a text of its own for it (wire.md 1.1). */
  readonly taken?: Reason;
  /** Tables that an import fills, where they are more than the resource's own. */
  readonly tables?: readonly string[];
  /** Called before a row is saved; it may change the values. */
  beforeSave?(of: {
    /** The stored row; undefined for a new row. */
    held: StoredRow | undefined;
    /** The whole row as it will be saved; a hook may change it. */
    values: Values;
    tenantId: string;
    parentId: string | null;
    scope: TenantScope;
    /** Rows of the resource in this transaction. */
    rows: ResourceRepository;
    extra: Extra;
  }): Promise<void>;
  /** Begins a row of a process that a sheet asks for, in place of writing it. @throws {Refusal} */
  begin?(of: { values: Values; scope: TenantScope; extra: Extra }): Promise<{ id: string; version: number }>;
  /** Why `begin` would refuse a row; nothing of what it tries stays. */
  tryBegin?(of: { values: Values; scope: TenantScope }): Promise<readonly Problem[]>;
  /** Choices of fields that depend on who asks, by field: pairs of a value and its name. */
  options?(of: {
    scope: TenantScope;
    extra: Extra;
  }): Promise<Readonly<Record<string, readonly (readonly [value: string, name: string])[]>>>;
  /**
   * Problems of rows of a sheet beyond those of their cells, in their order; asked when rows are checked, and again in the
   * transaction that writes them.
   */
  rowProblems?(of: {
    rows: readonly { readonly values: Values; readonly held: StoredRow | undefined }[];
    scope: TenantScope;
    extra: Extra;
  }): Promise<readonly (readonly Problem[])[]>;
  /**
   * What `imported` would refuse of a whole import, told before it is written.
   * @param of.adds good rows that add something
   */
  wholeProblems?(of: {
    adds: number;
    scope: TenantScope;
    extra: Extra;
  }): Promise<readonly { reason: Reason; values: Readonly<Record<string, string | number>> }[]>;
  /** Called in the transaction that wrote an import, after its last row. @throws {Refusal} */
  imported?(of: { scope: TenantScope; extra: Extra }): Promise<void>;
  /** Removes what `begin` added beside rows whose import is undone. */
  forget?(of: { ids: readonly string[]; scope: TenantScope; extra: Extra }): Promise<void>;
  beforeRemove?(of: { rows: readonly StoredRow[]; scope: TenantScope; extra: Extra }): Promise<void>;
  /** Reports further uses of these rows, in addition to references from other resources. */
  obstacles?(of: {
    ids: readonly string[];
    scope: TenantScope;
    extra: Extra;
  }): Promise<readonly Omit<Obstacle, "title">[]>;
  /** Called after a commit that may have changed rows, to clear caches elsewhere. */
  changed?(): void;
}

/** Other resources that refer to rows of this one. */
const referrersOf = (of: ResourceDeclaration) =>
  // Offered rows are those of another resource.
  resources
    .filter((resource: ResourceDeclaration) => resource.scope !== "offered")
    .flatMap((resource: ResourceDeclaration) =>
      fieldsOf(resource)
        .filter(([, field]) => field.kind === "reference" && field.to === of.name)
        .map(([field]) => ({ resource, field })),
    );

/** Finds obstacles to removing rows of a resource. */
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
    const add = (obstacle: Omit<Obstacle, "title">) =>
      found.push({ ...obstacle, title: titles.get(obstacle.id) ?? "" });
    if (of.tree) for (const [id, count] of await from.children(scope, ids)) add({ id, resource: of.words.one, count });
    for (const by of referrers)
      for (const [id, { count, names }] of await from.usedBy(scope, ids, by))
        add({
          id,
          resource: by.resource.words.one,
          count,
          names,
          path: `${by.resource.menu.path}?f.${by.field}=${id}`,
        });
    for (const obstacle of (await hooks.obstacles?.({ ids, scope, extra })) ?? []) add(obstacle);
    return found;
  };
}
