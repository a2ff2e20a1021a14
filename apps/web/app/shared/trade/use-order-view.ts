import { orders, orderView } from "@herdwise/contract";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";

/** Loads an order; a step of the rows of `of` renews it. */
export function useOrderView(of: Pick<ResourceDeclaration, "name">, id: string) {
  const { permissions } = useAccess();
  return useQuery({
    queryKey: [...keysOf(of), "view", id],
    queryFn: ({ signal }) => call(orderView, { query: { id }, signal, quiet: true }),
    enabled: permissions.has(permissionOf(orders, "view")),
    staleTime: 0,
  });
}
