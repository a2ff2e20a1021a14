import { deviceDetail, deviceLatest, devicePage } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { DeviceService } from "./device.service.ts";

export function deviceRoutes(router: Router, devices: DeviceService): void {
  router.on(devicePage, ({ session, query }) => devices.page(session, query));
  router.on(deviceDetail, ({ session, query }) => devices.detail(session, query.id));
  router.on(deviceLatest, ({ session, query }) => devices.latest(session, query.id));
}
