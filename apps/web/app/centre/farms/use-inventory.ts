import { inventoryDetail, type UnitInventory } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";

/** Beginning of the keys of everything that shows heads; a movement makes all of it stale. */
export const inventoryKey = ["inventory"] as const;

/** Heads of a unit. */
export const useInventory = (unitId: string | undefined) =>
  useQuery<UnitInventory, ApiError>({
    queryKey: [...inventoryKey, "detail", unitId],
    queryFn: ({ signal }) => call(inventoryDetail, { query: { unitId: unitId ?? "" }, signal, quiet: true }),
    enabled: unitId !== undefined,
    staleTime: 5_000,
  });
