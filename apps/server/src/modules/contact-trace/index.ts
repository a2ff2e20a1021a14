import { traceContacts } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { traceRepository } from "./trace.repository.ts";
import { createTraceService } from "./trace.service.ts";

/** Contact tracing over showers, transits and transfers of pigs. */
export function createContactTraceModule({ kysely, now }: Platform): ServerModule {
  const traces = createTraceService(traceRepository(kysely), now);
  return { routes: (router) => router.on(traceContacts, ({ scope, query }) => traces.contacts(scope, query)) };
}
