import { notifyManager, onlineManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";
import { reach } from "../api/reach.ts";

// A browser calls itself online while a router answers; what counts is whether the server does. Questions wait meanwhile.
onlineManager.setEventListener((setOnline) => {
  const tell = (): void => setOnline(reach.lostAtMs() === undefined);
  tell();
  return reach.subscribe(tell);
});

// Within the event that changed it: a box that shows what is held here would else jump back for a moment after its click.
notifyManager.setScheduler(queueMicrotask);

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
      // What a person does fails at once where it can't be done, and is not done later behind their back.
      mutations: { retry: false, networkMode: "always" },
    },
  });
