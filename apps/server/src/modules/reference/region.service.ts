import type { TreeNode } from "@herdwise/contract";
import type { RegionRepository } from "./region.repository.ts";

const maxNamed = 500;
/** A code with those of the divisions that it lies in, from the province inwards. */
const pathOf = (code: string): string[] =>
  [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length));

/** The divisions of the country. */
export function createRegionService(repository: RegionRepository) {
  return {
    /** Divisions directly below a code; clients that read it as a number send the country as 0. */
    async below(parentCode: string | undefined): Promise<TreeNode[]> {
      const code = parentCode === undefined || Number(parentCode) === 0 ? "00" : parentCode;
      const rows = await repository.below(code);
      return rows.map((row) => ({
        id: row.code,
        parentId: code === "00" ? "0" : code,
        title: row.name,
        key: row.code,
        value: row.code,
        hasChildren: row.hasChildren,
      }));
    },

    /** Names of divisions with those that they lie in. @param codes comma-separated; unknown ones are left out */
    async names(codes: string): Promise<{ code: string; names: string[] }[]> {
      const asked = [...new Set(codes.split(","))].filter((code) => code !== "").slice(0, maxNamed);
      const named = await repository.named([...new Set(asked.flatMap(pathOf))]);
      return asked
        .filter((code) => named.has(code))
        .map((code) => ({ code, names: pathOf(code).flatMap((part) => named.get(part) ?? []) }));
    },
  };
}
export type RegionService = ReturnType<typeof createRegionService>;
