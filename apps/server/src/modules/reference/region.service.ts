import {
  type BodyOf,
  plainText,
  type QueryOf,
  type Region,
  type regionLazyList,
  type regionPage,
  type regionSubmit,
  type TreeNode,
} from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import type { KeptRegion, RegionChange, RegionRepository, RegionRow } from "./region.repository.ts";

interface RegionParts {
  regions: RegionRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface RegionDependencies {
  regions: RegionRepository;
  inTransaction<T>(work: (parts: RegionParts) => Promise<T>): Promise<T>;
  nextId: () => string;
}

const maxNamed = 500;
const longestName = 60;
const countryCode = "00";
/** Digits of the codes by level: the country, provinces, cities, counties, towns, villages. */
const lengths = [0, 2, 4, 6, 9, 12] as const;
const everybody = systemScope("whether anybody's record names a division is asked before it is removed");

/** A code with those of the divisions that it lies in, from the province inwards. */
const pathOf = (code: string): string[] =>
  lengths.filter((length) => length > 0 && length <= code.length).map((length) => code.slice(0, length));
/** Code of the division that a code lies in; undefined for a code of no level. */
function parentOf(code: string): string | undefined {
  const level = lengths.indexOf(code.length as 2);
  return level < 1 ? undefined : level === 1 ? countryCode : code.slice(0, lengths[level - 1]);
}
/** Clients that read codes as numbers send the country as 0. */
const codeOf = (code: string): string => (Number(code) === 0 ? countryCode : code);

function view(row: RegionRow): Region {
  const part = (level: number) => {
    const code = row.code.length >= (lengths[level] ?? 0) ? row.code.slice(0, lengths[level]) : "";
    return { code, name: code === "" ? "" : (row.names[code] ?? "") };
  };
  const [province, city, district, town, village] = [1, 2, 3, 4, 5].map(part);
  const above = pathOf(row.code).slice(0, -1);
  return {
    id: row.code,
    parentId: row.parentCode,
    code: row.code,
    parentCode: row.parentCode,
    parentName: row.names[row.parentCode] ?? "",
    ancestors: [countryCode, ...above].join(","),
    name: row.name,
    provinceCode: province?.code ?? "",
    provinceName: province?.name ?? "",
    cityCode: city?.code ?? "",
    cityName: city?.name ?? "",
    districtCode: district?.code ?? "",
    districtName: district?.name ?? "",
    townCode: town?.code ?? "",
    townName: town?.name ?? "",
    villageCode: village?.code ?? "",
    villageName: village?.name ?? "",
    regionLevel: lengths.indexOf(row.code.length as 2),
    sort: row.sort,
    remark: row.remark,
    hasChildren: row.childCount > 0,
    childCount: row.childCount,
    disabled: row.disabled,
    builtIn: row.builtIn,
  };
}

/** Ends the transaction of an import that only tries. */
class Tried extends Error {}

/** Problems of a sheet that are told. */
const mostProblems = 100;

const keptOf = ({ code, parentCode, name, sort, remark, disabled }: KeptRegion): KeptRegion => ({
  code,
  parentCode,
  name,
  sort,
  remark,
  disabled,
});

type Words = QueryOf<typeof regionLazyList>;

/** The divisions of the country. */
export function createRegionService({ regions, inTransaction, nextId }: RegionDependencies) {
  /** Divisions that a word selects wherever they stand, or those below a code. @param otherwise without both */
  const found = (query: Words, offered: boolean, otherwise?: string): Promise<RegionRow[]> => {
    const { code, name, parentCode } = query;
    if (code || name)
      return regions.list({ code, name, offered, ...(parentCode && { parentCode: codeOf(parentCode) }) });
    const below = parentCode ?? otherwise;
    return regions.list({ offered, ...(below !== undefined && { parentCode: codeOf(below) }) });
  };

  const recordOf = (
    { code, name }: { code: string; name: string },
    action: AuditRecord["action"],
    changes: AuditRecord["changes"],
  ): AuditRecord => ({ resource: "region", rowId: String(Number(code)), rowTitle: `${code} ${name}`, action, changes });

  /** Adds or changes a division. @param covers whether one that exists may be changed @returns undefined where nothing changes */
  const save = async (
    { regions: to, audit }: RegionParts,
    scope: TenantScope,
    given: BodyOf<typeof regionSubmit>,
    covers: boolean,
  ): Promise<RegionChange | undefined> => {
    const { code } = given;
    const name = plainText(given.name);
    const parentCode = parentOf(code);
    const named = given.parentCode === undefined ? parentCode : codeOf(given.parentCode);
    if (parentCode === undefined || named !== parentCode) throw refuse("region.code", { field: "code" });
    if (name === "" || [...name].length > longestName)
      throw refuse("region.name", { field: "name", values: { max: longestName } });
    if (parentCode !== countryCode && (await to.find(parentCode, true)) === undefined)
      throw refuse("region.parent_missing", { field: "parentCode" });
    const held = await to.find(code, true);
    if (held !== undefined && !covers) throw refuse("region.exists", { values: { code } });
    const remark = plainText(given.remark ?? held?.remark ?? "");
    const row = {
      code,
      parentCode,
      name,
      sort: given.sort ?? held?.sort ?? 0,
      remark,
      disabled: given.disabled ?? held?.disabled ?? false,
    };
    const changes = (["name", "sort", "remark", "disabled"] as const).flatMap((field) =>
      held?.[field] === row[field] ? [] : [{ field, before: held?.[field] ?? "", after: row[field] }],
    );
    if (changes.length === 0) return undefined;
    await to.save(row);
    const action = held === undefined ? "create" : "update";
    await audit.append(installationChain, scope, [recordOf(row, action, changes)], nextId);
    return { before: held === undefined ? null : keptOf(held), after: row };
  };

  /** @throws Refusal 400 while others lie in it or records name it, or when it comes with the product */
  const removeRow = async ({ regions: to, audit }: RegionParts, scope: TenantScope, row: RegionRow): Promise<void> => {
    if (row.childCount > 0) throw refuse("row.has_children");
    if (row.builtIn) throw refuse("region.built_in");
    if (await to.isUsed(everybody, row.code)) throw refuse("region.in_use");
    await to.remove(row.code);
    const change = { field: "name", before: row.name, after: "" };
    await audit.append(installationChain, scope, [recordOf(row, "remove", [change])], nextId);
  };

  const detail = async (code: string): Promise<Region> => {
    const row = await regions.find(code);
    if (row === undefined) throw refuse("region.not_found");
    return view(row);
  };

  return {
    detail,

    /** Nodes below a code, that a word selects, or all. */
    async nodes(query: Words): Promise<TreeNode[]> {
      return (await found(query, true)).map(({ code, parentCode, name, childCount }) => ({
        id: code,
        parentId: parentCode === countryCode ? "0" : parentCode,
        title: name,
        key: code,
        value: code,
        hasChildren: childCount > 0,
      }));
    },

    list: async (query: Words): Promise<Region[]> => (await found(query, false, countryCode)).map(view),

    /** Divisions that are offered directly below a code, or all. */
    choices: async (code: string | undefined): Promise<Region[]> =>
      (await regions.list({ offered: true, ...(code !== undefined && { parentCode: codeOf(code) }) })).map(view),

    async page({ regionLevel, parentCode, ...query }: QueryOf<typeof regionPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await regions.page(
        {
          code: query.code,
          name: query.name,
          parentCode: parentCode === undefined ? undefined : codeOf(parentCode),
          length: regionLevel === undefined ? undefined : lengths[regionLevel],
        },
        request,
      );
      return pageOfRows(rows.map(view), total, request);
    },

    /** @throws Refusal 400 when the code does not continue its parent's, or the parent does not exist */
    async submit(scope: TenantScope, given: BodyOf<typeof regionSubmit>): Promise<Region> {
      await inTransaction((parts) => save(parts, scope, given, true));
      return detail(given.code);
    },

    /** @throws Refusal 400 while others lie in it or records name it, 404 */
    async remove(scope: TenantScope, code: string | undefined): Promise<void> {
      if (code === undefined) throw refuse("parameter.missing", { field: "id", values: { field: "id" } });
      await inTransaction(async (parts) => {
        const row = await parts.regions.find(code, true);
        if (row === undefined) throw refuse("region.not_found");
        await removeRow(parts, scope, row);
      });
    },

    /**
     * Adds the divisions of a sheet, all or none.
     * @param tries stores nothing, and tells every problem
     * @throws Refusal 400 naming the row that is wrong, unless it only tries
     */
    async import(
      scope: TenantScope,
      rows: readonly { rowNumber: number; cells: Readonly<Record<string, string>> }[],
      covers: boolean,
      tries: boolean,
    ) {
      const problems: { row: number; text: string }[] = [];
      const changes: RegionChange[] = [];
      const importId = nextId();
      const work = inTransaction(async (parts) => {
        // Those above before those that lie in them.
        const ordered = rows.toSorted((a, b) => (a.cells.code ?? "").length - (b.cells.code ?? "").length);
        for (const { rowNumber, cells } of ordered) {
          try {
            const { code = "", name = "", parentCode, sort, remark } = cells;
            if (!/^\d{2,12}$/.test(code)) throw refuse("region.code");
            if (sort !== undefined && !/^\d{1,4}$/.test(sort))
              throw refuse("parameter.type", { values: { field: "sort" } });
            const change = await save(
              parts,
              scope,
              {
                code,
                name,
                ...(parentCode !== undefined && { parentCode }),
                ...(sort !== undefined && { sort: Number(sort) }),
                ...(remark !== undefined && { remark }),
              },
              covers,
            );
            if (change) changes.push(change);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            if (!tries) throw refuse("region.sheet", { values: { row: rowNumber, problem: error.message } });
            problems.push({ row: rowNumber, text: error.message });
          }
        }
        if (tries) throw new Tried();
        await parts.regions.addImport(scope, importId, changes);
      });
      await work.catch((error: unknown) => {
        if (!(error instanceof Tried)) throw error;
      });
      const added = changes.filter(({ before }) => before === null).length;
      return {
        imported: rows.length - problems.length,
        added,
        changed: changes.length - added,
        importId: tries ? "" : importId,
        problems: problems.slice(0, mostProblems),
      };
    },

    /**
     * Takes an import back, all of it or nothing.
     * @throws Refusal 404 for one that was taken back, 400 where somebody changed a division since or a record names an added one
     */
    async undoImport(scope: TenantScope, importId: string): Promise<void> {
      await inTransaction(async (parts) => {
        const changes = await parts.regions.takeImport(importId);
        if (changes === undefined) throw refuse("row.not_found");
        for (const { before, after } of changes.toReversed()) {
          const row = await parts.regions.find(after.code, true);
          if (row === undefined || JSON.stringify(keptOf(row)) !== JSON.stringify(keptOf(after)))
            throw refuse("region.changed_since", { values: { code: after.code } });
          if (before === null) await removeRow(parts, scope, row);
          else await save(parts, scope, before, true);
        }
      });
    },

    /** All divisions for a sheet. */
    rows: () => regions.list({}),

    /** Names of divisions with those that they lie in. @param codes comma-separated; unknown ones are left out */
    async names(codes: string): Promise<{ code: string; names: string[] }[]> {
      const asked = [...new Set(codes.split(","))].filter((code) => code !== "").slice(0, maxNamed);
      const named = await regions.named([...new Set(asked.flatMap(pathOf))]);
      return asked
        .filter((code) => named.has(code))
        .map((code) => ({ code, names: pathOf(code).flatMap((part) => named.get(part) ?? []) }));
    },
  };
}
export type RegionService = ReturnType<typeof createRegionService>;
