import type { DictionaryNode, DictionaryRow, TreeNode } from "@herdwise/contract";
import type { ResourceService } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DictionaryValueRow } from "./dictionary.repository.ts";

const view = (row: DictionaryValueRow): DictionaryRow => ({ ...row, parentId: row.parentId ?? "0", isDeleted: 0 });

/** A row that the kit keeps, in the form of the family. */
function listed(row: Readonly<Record<string, unknown>>): DictionaryNode {
  const text = (name: string) => String(row[name] ?? "");
  return {
    id: text("id"),
    parentId: text("parentId"),
    parentName: text("parentName") || "顶级",
    code: text("code"),
    dictKey: text("dictKey"),
    dictValue: text("dictValue"),
    sort: Number(row.sort),
    remark: text("remark"),
    isSealed: Number(row.isSealed),
    isDeleted: 0,
  };
}

type RowsOf<Scope> = (scope: Scope, code?: string) => Promise<DictionaryValueRow[]>;
type Words = Readonly<Record<string, unknown>> & { parentId?: string | undefined };

/**
 * Dictionaries to choose from and to keep.
 * @param rowsOf rows to choose from @param kept the resource by which they are kept
 */
export function createDictionaryService<Scope>(
  rowsOf: RowsOf<Scope>,
  kept: Pick<ResourceService, "page" | "lazyList" | "tree">,
) {
  const chosen = async (scope: Scope, code: string) =>
    (await rowsOf(scope, code)).filter((row) => row.parentId !== null && row.isSealed === 0);
  return {
    /** Values of a code that may be chosen. */
    values: async (scope: Scope, code: string): Promise<DictionaryRow[]> => (await chosen(scope, code)).map(view),

    valueTree: async (scope: Scope, code: string): Promise<TreeNode[]> =>
      (await chosen(scope, code)).map(({ id, parentId, dictValue }) => ({
        id,
        parentId: parentId ?? "0",
        title: dictValue,
        key: id,
        value: id,
        hasChildren: false,
      })),

    /** Codes with their values. @param word keeps values that contain it, and codes whose name does, with all of theirs */
    async tree(scope: Scope, code: string | undefined, word: string | undefined): Promise<DictionaryNode[]> {
      const rows = await rowsOf(scope, code === "" ? undefined : code);
      const fits = (row: DictionaryValueRow) => row.dictValue.includes(word ?? "");
      return rows
        .filter((row) => row.parentId === null)
        .flatMap((parent) => {
          const values = rows.filter((row) => row.parentId === parent.id && (fits(parent) || fits(row)));
          if (values.length === 0 && !fits(parent)) return [];
          const children = values.map((row) => ({ ...view(row), parentName: parent.dictValue }));
          return [{ ...view(parent), parentName: "顶级", ...(children.length > 0 && { children }) }];
        });
    },

    /** Rows that name a code. */
    async codes(scope: TenantScope, query: Words) {
      const page = await kept.page(scope, { ...query, parentId: "0" });
      return { ...page, records: page.records.map(listed) };
    },

    /** Values below a row; none where no row is named. */
    valuesBelow: async (scope: TenantScope, { parentId, ...words }: Words): Promise<DictionaryNode[]> =>
      parentId
        ? (await kept.lazyList(scope, { parentId }))
            .map(listed)
            .filter((row) =>
              (["code", "dictValue"] as const).every((name) => row[name].includes(String(words[name] ?? ""))),
            )
        : [],

    codeTree: async (scope: TenantScope): Promise<TreeNode[]> => kept.tree(scope, { parentId: "0" }),
  };
}
