import { kindAnalytics } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import { analyticsRepository } from "./analytics.repository.ts";
import { createAnalyticsService } from "./analytics.service.ts";

export interface AnalyticsModuleDependencies {
  telemetry: TelemetryService;
  devices: DeviceService;
  farms: FarmService;
}

/** What records and values of devices come to over days: compliance, removal, accuracy, stock. */
export function createAnalyticsModule(
  { kysely, now }: Platform,
  { telemetry, devices, farms }: AnalyticsModuleDependencies,
): ServerModule {
  const analytics = createAnalyticsService({ repository: analyticsRepository(kysely), telemetry, devices, farms, now });
  return {
    routes(router) {
      router.on(kindAnalytics, ({ scope, query }) => analytics.list(scope, query));
    },
  };
}
