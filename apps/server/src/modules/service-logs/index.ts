import { hostname } from "node:os";
import { endpoints } from "@herdwise/contract";
import type { AnsweredCall } from "../../http/router.ts";
import type { Platform, ServerModule } from "../../module.ts";
import type { SettingsService } from "../settings/index.ts";
import { entriesOf } from "./log-entry.ts";
import { serviceLogRepository } from "./service-log.repository.ts";
import { serviceLogRoutes } from "./service-log.routes.ts";
import { createServiceLogService } from "./service-log.service.ts";

export interface ServiceLogsModule extends ServerModule {
  /** Notes a call that was answered; it neither waits nor throws. */
  readonly onAnswered: (call: AnsweredCall) => void;
}

/** Logs of business calls, of changing calls and of failures (wire.md 3.13). */
export function createServiceLogsModule(
  { kysely, nextId, now, warn }: Platform,
  { settings }: { settings: Pick<SettingsService, "numbers"> },
): ServiceLogsModule {
  const logs = createServiceLogService({
    repository: serviceLogRepository(kysely),
    settings,
    now,
    onError: warn("entries of the service's log were lost"),
  });
  const operations = new Map(Object.entries(endpoints).map(([name, { method, path }]) => [`${method} ${path}`, name]));
  const host = hostname();
  return {
    onAnswered(call) {
      for (const { kind, entry } of entriesOf(call, { id: nextId, at: new Date(now()), host, operations }))
        logs.take(kind, entry);
    },
    routes: (router) => serviceLogRoutes(router, logs),
    jobs: [
      {
        name: "service-logs.sweep",
        schedule: "50 3 * * *",
        retries: 1,
        timeoutS: 1200,
        run: (_payload, { signal }) => logs.sweep(signal),
      },
    ],
    stop: logs.flush,
  };
}
