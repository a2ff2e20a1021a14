import { simulatorDetail, simulatorStart, simulatorStop } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { SimulatorService } from "./simulator.service.ts";

export function simulatorRoutes(router: Router, simulator: SimulatorService): void {
  router.on(simulatorDetail, ({ scope }) => simulator.detail(scope));
  router.on(simulatorStart, ({ scope, body }) => simulator.start(scope, body));
  router.on(simulatorStop, ({ scope, body }) => simulator.stop(scope, body));
}
