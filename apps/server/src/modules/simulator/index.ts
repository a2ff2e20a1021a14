import type { Platform, ServerModule } from "../../module.ts";
import { simulatorRepository } from "./simulator.repository.ts";
import { simulatorRoutes } from "./simulator.routes.ts";
import { createSimulatorService } from "./simulator.service.ts";
import type { SimulatorControl } from "./simulator-control.ts";

export { createSimulatorControl, type SimulatorControl } from "./simulator-control.ts";

/** Lets staff start and stop scenarios of the virtual devices. @param control of the simulator that this server starts, if it does */
export function createSimulatorModule({ kysely, now }: Platform, control: SimulatorControl | undefined): ServerModule {
  const simulator = createSimulatorService({ repository: simulatorRepository(kysely), control, now });
  return { routes: (router) => simulatorRoutes(router, simulator) };
}
