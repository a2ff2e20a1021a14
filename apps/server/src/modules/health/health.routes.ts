import { healthDetail, healthStatements } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { HealthService } from "./health.service.ts";
import type { SlowStatements } from "./slow-statements.ts";

export function healthRoutes(router: Router, health: HealthService, statements: SlowStatements): void {
  router.on(healthDetail, ({ query }) => health.detail(query.fresh === "1"));
  router.on(healthStatements, async ({ query }) => statements(query.order ?? "total"));
}
