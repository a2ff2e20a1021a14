import type { DictionaryNode, DictionaryRow } from "@herdwise/contract";
import type { DictionaryRepository, DictionaryValueRow } from "./dictionary.repository.ts";

const view = (row: DictionaryValueRow): DictionaryRow => ({ ...row, parentId: row.parentId ?? "0", isDeleted: 0 });

export function createDictionaryService(repository: DictionaryRepository) {
  return {
    /** Values of a code that may be chosen. */
    async values(code: string): Promise<DictionaryRow[]> {
      const rows = await repository.rows(code);
      return rows.filter((row) => row.parentId !== null && row.isSealed === 0).map(view);
    },

    /** Codes with their values. @param word keeps values that contain it, and codes whose name does, with all of theirs */
    async tree(code: string | undefined, word: string | undefined): Promise<DictionaryNode[]> {
      const rows = await repository.rows(code === "" ? undefined : code);
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
  };
}
export type DictionaryService = ReturnType<typeof createDictionaryService>;
