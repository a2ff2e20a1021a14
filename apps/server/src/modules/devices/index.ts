export { type DeviceIdentity, deviceRepository, type KnownDevice } from "./device.repository.ts";
export { deviceRoutes } from "./device.routes.ts";
export { createDeviceService, type DeviceService, tokenHashOf } from "./device.service.ts";
