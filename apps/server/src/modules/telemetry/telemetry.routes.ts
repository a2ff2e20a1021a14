import {
  deviceEventPage,
  deviceParameters,
  kindOverview,
  live as liveEndpoint,
  telemetryExport,
  telemetryHistory,
  telemetrySeries,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { TelemetryExportService } from "./export.service.ts";
import type { Live } from "./live.service.ts";
import type { TelemetryService } from "./telemetry.service.ts";

export function telemetryRoutes(
  router: Router,
  { telemetry, live, exports }: { telemetry: TelemetryService; live: Live; exports: TelemetryExportService },
): void {
  router.on(telemetryHistory, ({ scope, query }) => telemetry.history(scope, query));
  router.on(telemetrySeries, ({ scope, query }) => telemetry.series(scope, query));
  router.on(telemetryExport, ({ scope, body }) => exports.begin(scope, body));
  router.on(deviceEventPage, ({ scope, query }) => telemetry.eventPage(scope, query));
  router.on(deviceParameters, ({ scope, query }) => telemetry.parameters(scope, query.id));
  router.on(kindOverview, ({ scope, query }) =>
    telemetry.kindOverview(scope, query.kind ?? "environment", query.place),
  );
  router.stream(liveEndpoint, async ({ session, scope, query }) => {
    const ids = await telemetry.liveIds(scope, query.ids);
    return (stream) => live.serve(session.id, ids, () => telemetry.snapshot(ids), stream);
  });
}
