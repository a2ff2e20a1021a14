import type { Platform, ServerModule } from "../../module.ts";
import { visitRepository } from "./visit.repository.ts";
import { visitRoutes } from "./visit.routes.ts";
import { createVisitService } from "./visit.service.ts";

export { visitRepository } from "./visit.repository.ts";

export function createVisitsModule({ kysely, store }: Platform): ServerModule {
  const visits = createVisitService(visitRepository(kysely), store);
  return { routes: (router) => visitRoutes(router, visits) };
}
