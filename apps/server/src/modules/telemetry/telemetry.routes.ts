import { environmentOverview, live as liveEndpoint, telemetryHistory } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { Live } from "./live.service.ts";
import type { TelemetryService } from "./telemetry.service.ts";

export function telemetryRoutes(router: Router, telemetry: TelemetryService, live: Live): void {
  router.on(telemetryHistory, ({ session, query }) => telemetry.history(session, query));
  router.on(environmentOverview, ({ session }) => telemetry.environmentOverview(session));
  router.stream(liveEndpoint, async ({ session, query }) => {
    const ids = await telemetry.liveIds(session, query.ids);
    return (stream) => live.serve(session.id, ids, () => telemetry.snapshot(session, ids), stream);
  });
}
