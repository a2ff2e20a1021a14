import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { deviceRepository } from "./device.repository.ts";
import { deviceRoutes } from "./device.routes.ts";
import { createDeviceService, type DeviceService } from "./device.service.ts";
import { deviceProtocolRepository } from "./device-protocol.repository.ts";

export { deviceRepository } from "./device.repository.ts";
export { createDeviceService, type DeviceService, tokenHashOf } from "./device.service.ts";
export { type DeviceIdentity, deviceProtocolRepository, type KnownDevice } from "./device-protocol.repository.ts";

export interface DevicesModule extends ServerModule {
  readonly service: DeviceService;
}

export function createDevicesModule({ kysely, bus }: Platform): DevicesModule {
  const devices = createDeviceService({
    repository: deviceRepository(kysely),
    protocol: deviceProtocolRepository(
      kysely,
      systemScope("devices come by their tokens, and visitors see how many there are and one showcase unit"),
    ),
    onChanged: (deviceId) => bus.publish("deviceChanged", { deviceId }),
  });
  return { service: devices, routes: (router) => deviceRoutes(router, devices) };
}
