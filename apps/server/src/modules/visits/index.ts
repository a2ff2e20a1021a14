import type { Platform, ServerModule } from "../../module.ts";
import type { SettingsService } from "../settings/index.ts";
import { visitRepository } from "./visit.repository.ts";
import { visitRoutes } from "./visit.routes.ts";
import { createVisitService } from "./visit.service.ts";

export { visitRepository } from "./visit.repository.ts";

/** @param settings how long visits are kept */
export function createVisitsModule(
  { kysely, store }: Platform,
  { settings }: { settings: Pick<SettingsService, "numbers"> },
): ServerModule {
  const repository = visitRepository(kysely);
  const visits = createVisitService(repository, store);
  return {
    routes: (router) => visitRoutes(router, visits),
    jobs: [
      {
        name: "visits.sweep",
        schedule: "35 3 * * *",
        retries: 0,
        timeoutS: 300,
        run: async () => {
          await repository.sweep((await settings.numbers(["retention.visitDays"]))["retention.visitDays"]);
        },
      },
    ],
  };
}
