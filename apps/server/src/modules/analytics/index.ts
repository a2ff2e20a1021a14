import { kindAnalytics } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import { analyticsRepository } from "./analytics.repository.ts";
import { type AnalyticsService, createAnalyticsService } from "./analytics.service.ts";

export interface AnalyticsModuleDependencies {
  telemetry: TelemetryService;
  devices: DeviceService;
  farms: FarmService;
}

export type { AnalyticsService } from "./analytics.service.ts";

export interface AnalyticsModule extends ServerModule {
  readonly service: AnalyticsService;
}

/** What records and values of devices come to over days: compliance, removal, accuracy, stock. */
export function createAnalyticsModule(
  { kysely, now }: Platform,
  { telemetry, devices, farms }: AnalyticsModuleDependencies,
): AnalyticsModule {
  const analytics = createAnalyticsService({ repository: analyticsRepository(kysely), telemetry, devices, farms, now });
  return {
    service: analytics,
    routes(router) {
      router.on(kindAnalytics, ({ scope, query }) => analytics.list(scope, query));
    },
  };
}
