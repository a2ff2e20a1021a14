import {
  comparisonDetail,
  comparisonSubscribe,
  comparisonSubscriptionList,
  deathsRight,
  kindAnalytics,
} from "@herdwise/contract";
import { mayNamePeople } from "../../http/personal.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import { analyticsRepository } from "./analytics.repository.ts";
import { type AnalyticsService, createAnalyticsService } from "./analytics.service.ts";
import { createComparisonService } from "./comparison/comparison.service.ts";
import { herdDayRepository } from "./comparison/herd-day.repository.ts";
import { comparisonSubscriptionRepository, dueComparisonRepository } from "./comparison/subscription.repository.ts";
import { createComparisonSubscriptions } from "./comparison/subscription.service.ts";

export interface AnalyticsModuleDependencies {
  telemetry: TelemetryService;
  devices: DeviceService;
  farms: FarmService;
  identity: Pick<IdentityService, "sessionOfMember">;
}

export type { AnalyticsService } from "./analytics.service.ts";

export interface AnalyticsModule extends ServerModule {
  readonly service: AnalyticsService;
}

/** What records and values of devices come to over days: compliance, removal, accuracy, stock. */
export function createAnalyticsModule(
  { kysely, inTransaction, nextId, now }: Platform,
  { telemetry, devices, farms, identity }: AnalyticsModuleDependencies,
): AnalyticsModule {
  const analytics = createAnalyticsService({ repository: analyticsRepository(kysely), telemetry, devices, farms, now });
  const comparisons = createComparisonService({ herd: herdDayRepository(kysely), telemetry, devices, farms, now });
  const byTheClock = systemScope(
    "members are told of the comparisons that they asked for, whosever places they are of",
  );
  const subscriptions = createComparisonSubscriptions({
    repository: comparisonSubscriptionRepository(kysely),
    inTransaction: inTransaction((db) => ({
      due: dueComparisonRepository(db, byTheClock),
      messages: messageRepository(db),
    })),
    comparisons,
    sessionOfMember: identity.sessionOfMember,
    scope: byTheClock,
    nextId,
    now,
  });
  return {
    service: analytics,
    routes(router) {
      router.on(kindAnalytics, ({ scope, query, session }) => analytics.list(scope, query, mayNamePeople(session)));
      router.on(comparisonDetail, ({ scope, query, session }) =>
        comparisons.detail(scope, query, session.permissions.has(deathsRight)),
      );
      router.on(comparisonSubscriptionList, ({ scope }) => subscriptions.list(scope));
      router.on(comparisonSubscribe, async ({ scope, body, session }) => {
        await subscriptions.subscribe(scope, body, session.permissions.has(deathsRight));
        return {};
      });
    },
    jobs: [
      { name: "comparisons.tell", schedule: "*/5 * * * *", retries: 3, timeoutS: 600, run: () => subscriptions.tell() },
    ],
  };
}
