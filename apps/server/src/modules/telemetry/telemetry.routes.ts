import {
  deviceEventPage,
  deviceGlance,
  deviceParameters,
  kindOverview,
  live as liveEndpoint,
  telemetryDownload,
  telemetryExport,
  telemetryHistory,
  telemetrySeries,
} from "@herdwise/contract";
import { mayNamePeople } from "../../http/personal.ts";
import type { Router } from "../../http/router.ts";
import type { HistoryDownloads } from "./download.service.ts";
import type { TelemetryExportService } from "./export.service.ts";
import type { Glance } from "./glance.service.ts";
import type { Live } from "./live.service.ts";
import type { TelemetryService } from "./telemetry.service.ts";

export function telemetryRoutes(
  router: Router,
  {
    telemetry,
    glance,
    live,
    exports,
    downloads,
  }: {
    telemetry: TelemetryService;
    glance: Glance;
    live: Live;
    exports: TelemetryExportService;
    downloads: HistoryDownloads;
  },
): void {
  router.on(telemetryHistory, ({ scope, query }) => telemetry.history(scope, query));
  router.on(telemetrySeries, ({ scope, query }) => telemetry.series(scope, query));
  router.on(telemetryExport, ({ scope, body }) => exports.begin(scope, body));
  router.download(telemetryDownload, ({ scope, query }, signal) => downloads.begin(scope, query, signal));
  router.on(deviceEventPage, ({ scope, query, session }) => telemetry.eventPage(scope, query, mayNamePeople(session)));
  router.on(deviceParameters, ({ scope, query }) => telemetry.parameters(scope, query.id));
  router.on(kindOverview, ({ scope, query }) =>
    telemetry.kindOverview(scope, query.kind ?? "environment", query.place),
  );
  router.on(deviceGlance, ({ scope, query }) => glance(scope, query));
  router.stream(liveEndpoint, async ({ session, scope, query }) => {
    const ids = await telemetry.liveIds(scope, query.ids);
    return (stream) => live.serve(session, ids, () => telemetry.snapshot(ids), stream);
  });
}
