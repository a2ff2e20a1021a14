import { healthDetail } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { HealthService } from "./health.service.ts";

export function healthRoutes(router: Router, health: HealthService): void {
  router.on(healthDetail, ({ query }) => health.detail(query.fresh === "1"));
}
