import {
  type AuditAction,
  checkRow,
  fieldsOf,
  isBlank,
  isId,
  isOfInstallation,
  type Problem,
  type ResourceDeclaration,
  referenceNameOf,
  ruleReasons,
  snakeCase,
  sortsOf,
  type TreeNode,
  writtenFieldsOf,
} from "@herdwise/contract";
import { type Refusal, refuse } from "../http/errors.ts";
import { pageOfRows, pageRequest } from "../http/paging.ts";
import type { Reason } from "../http/reasons.ts";
import { readSomeIds } from "../ids.ts";
import type { AuditRecord, AuditRepository, TellEntries } from "../modules/audit/index.ts";
import { installationChain } from "../modules/audit/index.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { inTenant, type TenantScope, withOwnRows } from "../tenant-scope.ts";
import { type Condition, isCode, type ResourceRepository, type StoredRow, violationOf } from "./resource.repository.ts";
import { maxAtOnce, readConditions } from "./resource-conditions.ts";
import { type Obstacle, obstacleFinder, type ResourceHooks, type ResourceTransaction } from "./resource-hooks.ts";
import {
  auditValue,
  changedValues,
  columnsOf,
  defaultsOf,
  openRow,
  readValues,
  shownValue,
  type Values,
} from "./resource-values.ts";

/** A move of a row in a tree. */
interface Move {
  id: string;
  /** "0" for the top. */
  parentId: string;
  /** The sibling that follows; last without one. */
  beforeId?: string | undefined;
  /** That was read. */
  version?: number | undefined;
}

export interface ResourceServiceDependencies<Extra> {
  rows: ResourceRepository;
  audit: AuditRepository;
  tellEntries: TellEntries;
  /** Repositories for hooks outside a transaction. */
  extra: Extra;
  inTransaction<T>(work: (transaction: ResourceTransaction, extra: Extra) => Promise<T>): Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  hooks?: ResourceHooks<Extra>;
}

/** Rows of a call: named ones, or all that conditions select. */
interface Chosen {
  ids?: string | undefined;
  where?: Readonly<Record<string, unknown>> | undefined;
  /** Number of rows that the caller saw; the call is refused when it differs. */
  expected?: number | undefined;
}

/** Fields of a submit in addition to those of the resource. */
interface Submit extends Readonly<Record<string, unknown>> {
  id?: string | undefined;
  tenantId?: string | undefined;
  version?: number | undefined;
  parentId?: string | null | undefined;
}

/** Rows that a picker is offered: those that fit what is typed, or all where nothing is. */
const maxFound = 50;
const maxChoices = 500;
/** Most obstacles to a removal that one answer lists. */
const maxObstacles = 200;
/** Most rows of a level, or of a whole tree, in one answer. */
const maxTreeRows = 20_000;
const topId = "0";

export const uniqueProblem = (of: ResourceDeclaration, field: string, value: unknown): Problem => ({
  field,
  reason: "field.unique",
  text: ruleReasons["field.unique"].zh,
  values: { label: of.fields[field]?.label ?? field, value: String(value ?? "") },
});

/**
 * The refusal of a form, with a problem for each field that is wrong.
 * @param taken what is said where the only fault is that another row has the value
 */
export const invalid = (problems: readonly Problem[], taken?: Reason): Refusal => {
  const onlyTaken = problems.every(({ reason }) => reason === "field.unique");
  return refuse(onlyTaken && taken !== undefined ? taken : "row.invalid", {
    problems,
    values: { count: problems.length },
  });
};

/** A row with its children. */
interface TreeRow extends Record<string, unknown> {
  children?: TreeRow[];
}

/**
 * Problems that need the database: references to rows that do not exist.
 * @param scope with the tenant of the referring row @param rows which rows may be named: of the scope's tenant, or all that it reaches
 */
export async function referenceProblems(
  from: Pick<ResourceRepository, "knownReferences">,
  of: Pick<ResourceDeclaration, "fields">,
  scope: TenantScope,
  values: Values,
  rows: "own" | "reached" = "own",
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [name, field] of fieldsOf(of)) {
    const value = values[name];
    if (field.kind !== "reference" || isBlank(value)) continue;
    if (!(await from.knownReferences(scope, name, [String(value)], rows)).has(String(value)))
      problems.push({
        field: name,
        reason: "field.reference",
        text: ruleReasons["field.reference"].zh,
        values: { label: field.label },
      });
  }
  return problems;
}

/** The operations of a resource. */
export function createResourceService<Extra>(
  of: ResourceDeclaration,
  dependencies: ResourceServiceDependencies<Extra>,
) {
  const { rows, audit, tellEntries, cipher, nextId, hooks = {}, inTransaction } = dependencies;
  const sorts = sortsOf(of);
  const chainOf = (tenantId: string): string => (isOfInstallation(of) ? installationChain : tenantId);
  const obstaclesOf = obstacleFinder(of, hooks);

  const view = (row: StoredRow) => {
    const opened = openRow(of, row, cipher);
    return {
      ...opened,
      ...(of.tree && { parentId: row.parentId ?? topId, parentName: row.parentName ?? "" }),
      ...(!("status" in of.fields) && { status: 1 }),
      isDeleted: 0,
    };
  };

  const titleOf = (row: Readonly<Record<string, unknown>>): string => String(row[of.title] ?? "");

  const scopeAsked = (scope: TenantScope, query: Readonly<Record<string, unknown>>): TenantScope =>
    inTenant(scope, typeof query.tenantId === "string" ? query.tenantId : undefined);

  const optionsOf = async (from: ResourceRepository): Promise<Record<string, string[]>> => {
    const codes = fieldsOf(of).flatMap(([name, field]) =>
      (field.kind === "choice" || field.kind === "choices") && field.dictionary
        ? [[name, field.dictionary] as const]
        : [],
    );
    return Object.fromEntries(
      await Promise.all(
        codes.map(async ([name, code]) => [name, (await from.dictionaryPairs(code)).map(([key]) => key)] as const),
      ),
    );
  };

  /**
   * Codes that another row already has.
   * @param id id of the row itself
   */
  const codeProblems = async (
    from: ResourceRepository,
    scope: TenantScope,
    values: Values,
    id: string | undefined,
  ): Promise<Problem[]> => {
    const problems: Problem[] = [];
    for (const [name, field] of writtenFieldsOf(of)) {
      const value = values[name];
      if (!isCode(field) || isBlank(value)) continue;
      const holders = await from.idsOfCode(scope, name, String(value));
      if (holders.some((holder) => holder !== id)) problems.push(uniqueProblem(of, name, value));
    }
    return problems;
  };

  /**
   * @param scope the scope with the tenant of the row
   * @param values all values of a new row, otherwise the changed ones
   */
  const requireValid = async (
    from: ResourceRepository,
    scope: TenantScope,
    values: Values,
    { partial, id }: { partial: boolean; id?: string },
  ): Promise<void> => {
    const options = await optionsOf(from);
    const problems = checkRow(of, values, { partial, options });
    const wrong = new Set(problems.map(({ field }) => field));
    const named = Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name)));
    problems.push(
      ...(await referenceProblems(from, of, scope, named)),
      ...(await codeProblems(from, scope, named, id)),
    );
    if (problems.length > 0) throw invalid(problems, hooks.taken);
  };

  /**
   * Checks the new parent of a row.
   * @returns the parent's id, null for the top
   */
  const requireParent = async (
    from: ResourceRepository,
    scope: TenantScope,
    tenantId: string,
    asked: string | null | undefined,
    row: { id: string; isNew: boolean },
  ): Promise<string | null> => {
    if (!of.tree || asked === undefined || asked === null || asked === "" || asked === topId) return null;
    const [parent] = isId(asked) ? await from.byIds(scope, [asked]) : [];
    if (parent === undefined || (parent.tenantId !== undefined && parent.tenantId !== tenantId)) {
      throw refuse("row.parent_missing", { field: "parentId" });
    }
    // The ancestors include the parent, so that a row is placed neither below itself nor below its descendants.
    const above = await from.ancestors(scope, asked);
    if (above.includes(row.id)) throw refuse("row.parent_self", { field: "parentId" });
    const depth = above.length + 1 + (row.isNew ? 0 : await from.heightBelow(scope, row.id));
    if (depth > of.tree.maxDepth)
      throw refuse("row.too_deep", { field: "parentId", values: { max: of.tree.maxDepth } });
    return asked;
  };

  /** Converts constraint violations to problems of fields. */
  const mending = async <T>(values: Values, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const violation = violationOf(of, error);
      if (violation?.kind === "unique")
        throw invalid([uniqueProblem(of, violation.field, values[violation.field])], hooks.taken);
      throw error;
    }
  };

  const record = (
    action: AuditAction,
    row: { id: string; title: string },
    changes: AuditRecord["changes"],
  ): AuditRecord => ({
    resource: of.name,
    rowId: row.id,
    rowTitle: row.title,
    action,
    changes,
  });
  const changesOf = (before: Values, after: Values): AuditRecord["changes"] =>
    Object.keys(after).map((field) => ({
      field,
      before: auditValue(of.fields[field], before[field]),
      after: auditValue(of.fields[field], after[field]),
    }));

  /** @throws Refusal when only the group's staff may add and remove rows and the caller is not one of them */
  const requireKeeper = (scope: TenantScope): void => {
    if (of.addedBy === "group" && !scope.everyTenant) throw refuse("row.group_adds");
  };

  const add = async (scope: TenantScope, input: Submit, key: string | undefined): Promise<string> => {
    requireKeeper(scope);
    const within =
      of.scope === "own-or-all-tenants" && scope.everyTenant
        ? inTenant(scope, input.tenantId || scope.tenantId)
        : scope;
    const { tenantId } = within;
    const values = { ...defaultsOf(of), ...readValues(of, input) };
    const id = nextId();
    return mending(values, () =>
      inTransaction(async (to, extra) => {
        if (key !== undefined) {
          const earlier = await to.rows.claimKey(scope, key, id);
          if (earlier !== undefined) return earlier;
        }
        if (tenantId !== scope.tenantId && !(await to.rows.tenantExists(within))) {
          throw refuse("tenant.unknown", { field: "tenantId" });
        }
        if (of.tree) await to.rows.lockTree(within);
        await requireValid(to.rows, within, values, { partial: false, id });
        const parentId = await requireParent(to.rows, scope, tenantId, input.parentId, { id, isNew: true });
        await hooks.beforeSave?.({ held: undefined, values, tenantId, parentId, scope, rows: to.rows, extra });
        await to.rows.insert(within, [
          { id, ...(of.tree && { parent_id: parentId }), ...columnsOf(of, values, cipher) },
        ]);
        const given = Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)));
        await to.audit.append(
          chainOf(tenantId),
          scope,
          [record("create", { id, title: titleOf(values) }, changesOf({}, given))],
          nextId,
        );
        return id;
      }),
    );
  };

  const conflict = async (scope: TenantScope, id: string): Promise<Refusal> => {
    const [current] = await rows.byIds(scope, [id]);
    if (current === undefined) return refuse("row.not_found");
    const shown = view(current);
    return refuse("row.changed_meanwhile", {
      more: {
        current: masked(shown),
        changedBy: current.updateUserName ?? "",
        changedAt: current.updateTime.getTime(),
      },
    });
  };

  /** Puts a held row into a place of its tree. */
  const place = async (
    to: ResourceTransaction,
    extra: Extra,
    {
      scope,
      found,
      asked,
      beforeId,
    }: { scope: TenantScope; found: StoredRow; asked: string; beforeId: string | undefined },
  ): Promise<void> => {
    const { id } = found;
    const tenantId = found.tenantId ?? scope.tenantId;
    const parentId = await requireParent(to.rows, scope, tenantId, asked, { id, isNew: false });
    const before = found.parentId ?? null;
    if (before !== parentId) {
      const held = openRow(of, found, cipher);
      const values = Object.fromEntries(fieldsOf(of).map(([name]) => [name, held[name]]));
      await hooks.beforeSave?.({ held, values, tenantId, parentId, scope, rows: to.rows, extra });
      await mending(values, () =>
        to.rows.update(
          scope,
          id,
          { parent_id: parentId, updated_by: scope.accountId, updated_at: new Date() },
          undefined,
        ),
      );
    }
    if (of.fields.sort) {
      const others = (await to.rows.siblings(inTenant(scope, tenantId), parentId))
        .map((row) => row.id)
        .filter((other) => other !== id);
      const at = beforeId ? others.indexOf(beforeId) : -1;
      await to.rows.setPlaces(scope, at < 0 ? [...others, id] : others.toSpliced(at, 0, id));
    }
    const changes = [{ field: "parentId", before: before ?? topId, after: parentId ?? topId }];
    await to.audit.append(chainOf(tenantId), scope, [record("move", { id, title: titleOf(found) }, changes)], nextId);
  };

  /**
   * Makes moves one after the other, all or none.
   * @throws Refusal 400 when a row would be below itself or too deep; 409 when one is another by now than its version says
   */
  const arrange = async (scope: TenantScope, moves: readonly Move[]): Promise<void> => {
    const clash = await inTransaction(async (to, extra) => {
      const firstOf = new Map([...moves].reverse().map((move) => [move.id, move]));
      for (const { id, version } of firstOf.values()) {
        const found = await lockedRow(to.rows, scope, id, true);
        if (version !== undefined && version !== found.version) return id;
      }
      for (const { id, parentId: asked, beforeId } of moves)
        await place(to, extra, { scope, found: await lockedRow(to.rows, scope, id, true), asked, beforeId });
      return undefined;
    });
    if (clash !== undefined) throw await conflict(scope, clash);
  };

  /** A row for the answer of a refusal, masked here because no schema does it. */
  const masked = (row: Values): Values =>
    Object.fromEntries([
      ...fieldsOf(of).map(([name, field]) => [
        name,
        field.kind === "number" ? row[name] : shownValue(field, row[name]),
      ]),
      ...(of.tree ? [["parentId", row.parentId]] : []),
      ["id", row.id],
      ["version", row.version],
    ]);

  /** Reads a row to change. The tree is locked before the row, so that two moves can't deadlock. */
  const lockedRow = async (
    from: ResourceRepository,
    scope: TenantScope,
    id: string,
    withTree: boolean,
  ): Promise<StoredRow> => {
    if (of.tree && withTree) {
      const [seen] = await from.byIds(scope, [id]);
      if (seen === undefined) throw refuse("row.not_found");
      await from.lockTree(inTenant(scope, seen.tenantId));
    }
    const [found] = await from.byIds(scope, [id], true);
    if (found === undefined) throw refuse("row.not_found");
    return found;
  };

  const change = async (scope: TenantScope, id: string, input: Submit): Promise<void> => {
    const given = readValues(of, input);
    const clash = await mending(given, () =>
      inTransaction(async (to, extra) => {
        const found = await lockedRow(to.rows, scope, id, input.parentId !== undefined);
        const held = openRow(of, found, cipher);
        const tenantId = found.tenantId ?? scope.tenantId;
        const changed = changedValues(of, held, given, input);
        for (const [name, field] of fieldsOf(of)) {
          if (field.fixed && name in changed)
            throw invalid([
              {
                field: name,
                reason: "field.fixed",
                text: ruleReasons["field.fixed"].zh,
                values: { label: field.label },
              },
            ]);
        }
        const moves =
          of.tree !== undefined &&
          input.parentId !== undefined &&
          (input.parentId || topId) !== (found.parentId ?? topId);
        if (Object.keys(changed).length === 0 && !moves) return false;
        if (input.version !== undefined && input.version !== found.version) return true;
        await requireValid(to.rows, inTenant(scope, tenantId), changed, { partial: true, id });
        const parentId = moves
          ? await requireParent(to.rows, scope, tenantId, input.parentId, { id, isNew: false })
          : (found.parentId ?? null);
        const values = { ...Object.fromEntries(writtenFieldsOf(of).map(([name]) => [name, held[name]])), ...changed };
        await hooks.beforeSave?.({ held, values, tenantId, parentId, scope, rows: to.rows, extra });
        const written = changedValues(of, held, values);
        const updated = await to.rows.update(
          scope,
          id,
          {
            ...columnsOf(of, written, cipher),
            ...(moves && { parent_id: parentId }),
            updated_by: scope.accountId,
            updated_at: new Date(),
          },
          found.version,
        );
        if (!updated) return true;
        const changes = [
          ...changesOf(held, written),
          ...(moves ? [{ field: "parentId", before: found.parentId ?? topId, after: parentId ?? topId }] : []),
        ];
        await to.audit.append(
          chainOf(tenantId),
          scope,
          [record(moves ? "move" : "update", { id, title: titleOf(values) }, changes)],
          nextId,
        );
        return false;
      }),
    );
    if (clash) throw await conflict(scope, id);
  };

  /**
   * Ids of the rows that a call selects.
   * @param from the repository of a transaction, to select again after the rows were locked
   */
  const selected = async (
    scope: TenantScope,
    { ids, where, expected }: Chosen,
    from: ResourceRepository = rows,
  ): Promise<{ scope: TenantScope; ids: string[] }> => {
    if (ids) return { scope, ids: readSomeIds(ids, "rows.none_chosen", maxAtOnce) };
    const within = scopeAsked(scope, where ?? {});
    const found = await from.idsOf(within, readConditions(of, where ?? {}), maxAtOnce + 1);
    if (found.length > maxAtOnce) throw refuse("rows.too_many", { values: { max: maxAtOnce } });
    if (found.length === 0) throw refuse("rows.none_chosen");
    if (expected !== undefined && expected !== found.length)
      throw refuse("rows.selection_changed", { values: { count: found.length } });
    return { scope: within, ids: found };
  };

  const treeOf = (held: readonly StoredRow[]): TreeRow[] => {
    const nodes = new Map(
      held.map((row): [string, TreeRow] => {
        const { hasChildren: _told, ...node } = view(row);
        return [row.id, node];
      }),
    );
    const roots: TreeRow[] = [];
    for (const row of held) {
      const node = nodes.get(row.id);
      const parent = nodes.get(row.parentId ?? topId);
      if (node === undefined) continue;
      if (parent) parent.children = [...(parent.children ?? []), node];
      else roots.push(node);
    }
    return roots;
  };

  return {
    async page(scope: TenantScope, query: Readonly<Record<string, unknown>> & Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, sorts);
      const { rows: held, total } = await rows.page(scopeAsked(scope, query), readConditions(of, query), request);
      return pageOfRows(held.map(view), total, request);
    },

    async detail(scope: TenantScope, id: string) {
      const [row] = await rows.byIds(scope, [id]);
      if (row === undefined) throw refuse("row.not_found");
      const ancestors = of.tree
        ? [topId, ...(await rows.ancestors(scope, id)).slice(1).toReversed()].join(",")
        : undefined;
      return { ...view(row), ...(ancestors !== undefined && { ancestors }) };
    },

    /**
     * Adds or changes a row.
     * @param key key of the submit: repeated with the same key, it returns the row that it created
     * @throws Refusal 400 with problems of fields, 404, 409 with the stored row when somebody else changed it meanwhile
     */
    async submit(scope: TenantScope, input: Submit, key: string | undefined) {
      const id = input.id || (await add(scope, input, key));
      if (input.id) await change(scope, input.id, input);
      const [row] = await rows.byIds(withOwnRows(scope), [id]);
      if (row === undefined) throw refuse("row.not_found");
      return view(row);
    },

    /**
     * Removes rows, all or none.
     * @throws Refusal 400 with the obstacles, 404, 409 when the conditions now select other rows
     */
    async remove(asked: TenantScope, chosen: Chosen): Promise<void> {
      requireKeeper(asked);
      if (!chosen.ids && !chosen.where) throw refuse("rows.none_chosen");
      // Conditions that are left out by mistake would select everything, so a removal by conditions must tell the expected
      // number.
      if (!chosen.ids && chosen.expected === undefined)
        throw refuse("parameter.missing", { values: { field: "expected" } });
      await inTransaction(async (to, extra) => {
        const { scope, ids } = await selected(asked, chosen, to.rows);
        const held = await to.rows.byIds(scope, ids, true);
        if (held.length !== ids.length) throw refuse("row.not_found");
        if (!chosen.ids) {
          // A row may have been changed while this call waited for its lock; rows that no longer match must stay.
          const now = await selected(asked, chosen, to.rows);
          if (now.ids.join() !== ids.join())
            throw refuse("rows.selection_changed", { values: { count: now.ids.length } });
        }
        const titles = new Map(held.map((row) => [row.id, titleOf(row)]));
        const [obstacle] = await obstaclesOf(to.rows, extra, scope, ids, titles);
        if (obstacle) {
          if (of.tree && obstacle.resource === of.words.one) throw refuse("row.has_children");
          const { title, count, resource } = obstacle;
          throw refuse("row.in_use", { values: { title, count, resource } });
        }
        await hooks.beforeRemove?.({ rows: held, scope, extra });
        try {
          await to.rows.remove(scope, ids);
        } catch (error) {
          // A reference to the row was added at this moment.
          if (violationOf(of, error)?.kind !== "reference") throw error;
          throw refuse("row.in_use", {
            values: { title: titles.get(ids[0] ?? "") ?? "", count: 1, resource: of.words.one },
          });
        }
        const byTenant = Map.groupBy(held, (row) => chainOf(row.tenantId ?? ""));
        for (const [chain, gone] of byTenant) {
          const records = gone.map((row) => {
            const opened = openRow(of, row, cipher);
            const fields = writtenFieldsOf(of)
              .map(([field]) => field)
              .filter((field) => !isBlank(opened[field]));
            const changes = fields.map((field) => ({
              field,
              before: auditValue(of.fields[field], opened[field]),
              after: "",
            }));
            return record("remove", { id: row.id, title: titleOf(row) }, changes);
          });
          await to.audit.append(chain, scope, records, nextId);
        }
      });
    },

    /** Obstacles to removing the rows that conditions select; ids without conditions must exist. */
    async obstacles(asked: TenantScope, query: Readonly<Record<string, unknown>>): Promise<Obstacle[]> {
      const { ids: named, ...others } = query;
      const byName = typeof named === "string" && named !== "" && readConditions(of, others).length === 0;
      const { scope, ids } = await selected(asked, byName ? { ids: named } : { where: query });
      const held = await rows.byIds(scope, ids);
      if (held.length !== ids.length) throw refuse("row.not_found");
      const titles = new Map(held.map((row) => [row.id, titleOf(row)]));
      return (await obstaclesOf(rows, dependencies.extra, scope, ids, titles)).slice(0, maxObstacles);
    },

    /** Changes the same fields of many rows, all or none. */
    async changeMany(
      scope: TenantScope,
      input: Chosen & { change: Readonly<Record<string, unknown>> },
    ): Promise<{ changed: number }> {
      const values = readValues(of, input.change);
      const names = Object.keys(values);
      if (names.length === 0) throw refuse("row.nothing_to_change");
      for (const name of names) {
        const field = of.fields[name];
        if (!field || field.derived || field.fixed || (field.kind === "text" && field.unique)) {
          throw refuse("row.not_changed_together", { field: name, values: { label: field?.label ?? name } });
        }
      }
      const chosen = await selected(scope, input);
      return inTransaction(async (to, extra) => {
        const held = await to.rows.byIds(chosen.scope, chosen.ids, true);
        if (held.length !== chosen.ids.length) throw refuse("row.not_found");
        for (const [tenantId, of_] of Map.groupBy(held, (row) => row.tenantId ?? chosen.scope.tenantId)) {
          await requireValid(to.rows, inTenant(chosen.scope, tenantId), values, { partial: true });
          const records: AuditRecord[] = [];
          for (const row of of_) {
            const opened = openRow(of, row, cipher);
            const changed = changedValues(of, opened, values);
            if (Object.keys(changed).length === 0) continue;
            const whole = {
              ...Object.fromEntries(writtenFieldsOf(of).map(([name]) => [name, opened[name]])),
              ...changed,
            };
            await hooks.beforeSave?.({
              held: opened,
              values: whole,
              tenantId,
              parentId: row.parentId ?? null,
              scope: chosen.scope,
              rows: to.rows,
              extra,
            });
            records.push(record("update", { id: row.id, title: titleOf(row) }, changesOf(opened, changed)));
          }
          const ids = records.map(({ rowId }) => rowId);
          await to.rows.updateMany(chosen.scope, ids, {
            ...columnsOf(of, values, cipher),
            updated_by: scope.accountId,
            updated_at: new Date(),
          });
          await to.audit.append(chainOf(tenantId), scope, records, nextId);
        }
        return { changed: held.length };
      });
    },

    async select(
      scope: TenantScope,
      query: { keyword?: string | undefined; ids?: string | undefined; tenantId?: string | undefined },
    ) {
      // Rows of a process become millions, among which a whole number has an index.
      const named = (word: string): Condition =>
        of.process ? { kind: "keyword", word } : { kind: "contains", field: of.title, value: word };
      const conditions: Condition[] = query.ids
        ? [{ kind: "ids", ids: readSomeIds(query.ids) }]
        : query.keyword
          ? [named(query.keyword)]
          : [];
      const held = await rows.all(scopeAsked(scope, query), conditions, query.keyword ? maxFound : maxChoices);
      const paths = of.tree
        ? await rows.paths(
            scope,
            held.map(({ id }) => id),
          )
        : undefined;
      // Rows with equal titles are told apart by the row that they belong to.
      const [within] = fieldsOf(of).find(([, field]) => field.kind === "reference" && field.required) ?? [];
      return held.map((row) => ({
        id: row.id,
        title: titleOf(row),
        [of.title]: titleOf(row),
        ...(within !== undefined && { path: String(row[referenceNameOf(within)] ?? "") }),
        ...(paths && { path: (paths.get(row.id) ?? []).join(" / ") }),
      }));
    },

    async history(scope: TenantScope, query: { id: string } & Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, []);
      const filter = { installation: isOfInstallation(of), resource: of.name, rowId: query.id };
      const { rows: entries, total } = await audit.page(scope, filter, request);
      return pageOfRows(
        (await tellEntries(scope, entries)).map(({ id, action, actorName, createdAt, changes, sentence, details }) => ({
          id,
          action,
          actorName,
          at: createdAt,
          changes: [...changes],
          sentence,
          details,
        })),
        total,
        request,
      );
    },

    /** One level of a tree, or with conditions the matching rows of all levels. */
    async lazyList(scope: TenantScope, query: Readonly<Record<string, unknown>>) {
      const asked = { ...query };
      const { parentId, ...others } = asked;
      const conditions = readConditions(of, others);
      if (conditions.length === 0) conditions.push(...readConditions(of, { parentId: parentId || topId }));
      return (await rows.all(scopeAsked(scope, query), conditions, maxTreeRows)).map(view);
    },

    /** All matching rows as trees; a row whose parent does not match is at the top. */
    async list(scope: TenantScope, query: Readonly<Record<string, unknown>>) {
      return treeOf(await rows.all(scopeAsked(scope, query), readConditions(of, query), maxTreeRows));
    },

    async tree(
      scope: TenantScope,
      query: { parentId?: string | undefined; tenantId?: string | undefined },
    ): Promise<TreeNode[]> {
      const within = scopeAsked(scope, query);
      const conditions = query.parentId === undefined ? [] : readConditions(of, { parentId: query.parentId || topId });
      const held = await rows.all(within, conditions, maxTreeRows);
      const nodes = new Map(
        held.map((row): [string, TreeNode] => [
          row.id,
          {
            id: row.id,
            parentId: row.parentId ?? topId,
            title: titleOf(row),
            key: row.id,
            value: row.id,
            hasChildren: row.hasChildren ?? false,
          },
        ]),
      );
      const roots: TreeNode[] = [];
      for (const node of nodes.values()) {
        const parent = nodes.get(node.parentId);
        if (parent) parent.children = [...(parent.children ?? []), node];
        else roots.push(node);
      }
      return roots;
    },

    /**
     * Moves a row to another place in its tree.
     * @throws Refusal 400 when it would be below itself or too deep
     */
    move: (scope: TenantScope, move: Move): Promise<void> => arrange(scope, [move]),
    arrange,

    sortColumns: sorts.map(snakeCase),
  };
}
export type ResourceService = ReturnType<typeof createResourceService>;
