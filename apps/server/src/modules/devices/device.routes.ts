import { deviceDetail, deviceLatest, devicePage } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { DeviceService } from "./device.service.ts";

export function deviceRoutes(router: Router, devices: DeviceService): void {
  router.on(devicePage, ({ scope, query }) => devices.page(scope, query));
  router.on(deviceDetail, ({ scope, query }) => devices.detail(scope, query.id));
  router.on(deviceLatest, ({ scope, query }) => devices.latest(scope, query.id));
}
