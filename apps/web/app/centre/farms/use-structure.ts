import { type PlaceKind, type StructureNode, structureList, structureSearch } from "@herdwise/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";

/** Beginning of the keys of everything that shows the structure; a change makes all of it stale. */
export const structureKey = ["structure"] as const;

/** Names a node among all levels. */
export const nodeKey = ({ kind, id }: Pick<StructureNode, "kind" | "id">): string => `${kind}:${id}`;

/** A place by the ids on the way to it; nothing chosen is undefined. */
export interface Selection {
  farm: string | undefined;
  house: string | undefined;
  unit: string | undefined;
}

const idPattern = /^\d{1,19}$/;

/** The selected place, which tree, plan and inventory share. It stands in the address. */
export function useSelection(): [Selection, (next: Partial<Selection>) => void] {
  const [search, change] = useAddressValues();
  const read = (name: PlaceKind): string | undefined => {
    const id = search.get(name) ?? "";
    return idPattern.test(id) ? id : undefined;
  };
  const select = (next: Partial<Selection>): void => change({ farm: next.farm, house: next.house, unit: next.unit });
  return [{ farm: read("farm"), house: read("house"), unit: read("unit") }, select];
}

const levelOf = (key: string) => {
  const [kind, id = ""] = key.split(":");
  return {
    queryKey: [...structureKey, "level", key],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<StructureNode[]> =>
      call(structureList, { query: key === "" ? {} : { [`${kind}Id`]: id }, signal, quiet: true }),
    staleTime: 15_000,
  };
};

const dataOf = (levels: readonly { data: StructureNode[] | undefined }[]): (StructureNode[] | undefined)[] =>
  levels.map(({ data }) => data);

/** The levels that are open, each loaded when it is. */
export function useLevels(open: readonly string[]) {
  const top = useQuery<StructureNode[], ApiError>(levelOf(""));
  const below = useQueries({ queries: open.map(levelOf), combine: dataOf });
  const levels = useMemo(() => new Map(open.map((key, at) => [key, below[at]])), [open, below]);
  return { top, levels };
}

/** What stands in a place. */
export const useLevel = (key: string | undefined) =>
  useQuery<StructureNode[], ApiError>({ ...levelOf(key ?? ""), enabled: key !== undefined });

/** Places that hold a word, wherever they stand. */
export const useFound = (word: string) =>
  useQuery<StructureNode[], ApiError>({
    queryKey: [...structureKey, "found", word],
    queryFn: ({ signal }) => call(structureSearch, { query: { keyword: word }, signal, quiet: true }),
    enabled: word.trim() !== "",
    staleTime: 15_000,
  });
