import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";

/** What came from the server, for the screens of the centre: asked for once, however many places show it. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 300_000,
        // A refusal stays one; only what never arrived is worth asking again.
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.code === 0,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
