import { deviceRegistry } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { bindingRepository } from "./binding.repository.ts";
import { createBindingService } from "./binding.service.ts";
import { claimOfferRepository, claimRepository } from "./claim.repository.ts";
import { type ClaimService, createClaimService } from "./claim.service.ts";
import { deviceRepository } from "./device.repository.ts";
import { deviceRoutes } from "./device.routes.ts";
import { createDeviceService, type DeviceDependencies, type DeviceService } from "./device.service.ts";
import { createDeviceAccessService } from "./device-access.service.ts";
import { deviceFinder } from "./device-finder.ts";
import { deviceProtocolRepository } from "./device-protocol.repository.ts";
import { freshRepository } from "./fresh.repository.ts";
import { createArrivals } from "./fresh.service.ts";
import { gatewayRepository } from "./gateway.repository.ts";
import { createGatewayService, type GatewayService } from "./gateway.service.ts";
import { provisionedDeviceRepository, provisionRepository } from "./provision.repository.ts";
import { createProvisionService, type ProvisionService } from "./provision.service.ts";

export { type ClaimService, claimIn } from "./claim.service.ts";
export { deviceRepository } from "./device.repository.ts";
export { createDeviceService, type DeviceService, tokenHashOf } from "./device.service.ts";
export { type DeviceIdentity, deviceProtocolRepository, type KnownDevice } from "./device-protocol.repository.ts";
export type { GatewayService } from "./gateway.service.ts";
export type { ProvisionService } from "./provision.service.ts";

export interface DevicesModule extends ServerModule {
  readonly service: DeviceService;
  readonly gateways: GatewayService;
  readonly claims: ClaimService;
  readonly provisioning: ProvisionService;
}

export interface DevicesModuleDependencies {
  /** Whether a tenant has shown who it is, without which nothing may be bound. */
  mayBind: (scope: TenantScope) => Promise<boolean>;
  /** Labels that the demo published; none outside of a demo. */
  demoLabels: readonly { readonly serialNumber: string; readonly code: string }[];
  judgedBy: NonNullable<DeviceDependencies["judgedBy"]>;
}

export function createDevicesModule(
  context: ResourceContext,
  { mayBind, judgedBy, demoLabels }: DevicesModuleDependencies,
): DevicesModule {
  const { platform } = context;
  const { kysely, bus, store, log, nextId, personalCipher } = platform;
  const byThemselves = systemScope(
    "devices come by their tokens, and visitors see how many there are and one showcase unit",
  );
  const onChanged = (deviceId: string) => bus.publish("deviceChanged", { deviceId });
  const devices = createDeviceService({
    repository: deviceRepository(kysely),
    protocol: deviceProtocolRepository(kysely, byThemselves),
    onChanged,
    judgedBy,
  });
  const arrivals = createArrivals({ repository: freshRepository(kysely), judgedBy, now: platform.now });
  const access = createDeviceAccessService({
    withAudit: platform.inTransaction((db) => ({ devices: deviceRepository(db), audit: auditRepository(db) })),
    nextId,
    onChanged,
  });
  const claims = createClaimService({
    offers: claimOfferRepository(kysely, byThemselves),
    repository: claimRepository(kysely),
    withAudit: platform.inTransaction((db) => ({ bindings: bindingRepository(db), audit: auditRepository(db) })),
    store,
    nextId,
    mayBind,
    onChanged,
  });
  const bindings = createBindingService({
    repository: bindingRepository(kysely),
    places: claimRepository(kysely),
    withAudit: platform.inTransaction((db) => ({ bindings: bindingRepository(db), audit: auditRepository(db) })),
    cipher: personalCipher,
    store,
    nextId,
    mayBind,
    demoLabels,
    onChanged,
  });
  const registry = resourceModule(context, deviceRegistry, {
    hooks: {
      async beforeRemove({ rows }) {
        // What it sent and raised is somebody's history.
        const used = rows.find(({ status, bound }) => bound === "bound" || status !== "unactivated");
        if (used) throw refuse("device.was_used", { values: { name: String(used.name) } });
      },
    },
  });
  const provisioning = createProvisionService({
    repository: provisionRepository(kysely),
    withAudit: platform.inTransaction((db) => ({ profiles: provisionRepository(db), audit: auditRepository(db) })),
    registering: platform.inTransaction((db) => provisionedDeviceRepository(db, byThemselves)),
    store,
    nextId,
    onChanged,
    onRegistered: (device) => log.info(device, "a device registered itself"),
  });
  return {
    service: devices,
    gateways: createGatewayService(gatewayRepository(kysely, byThemselves), nextId),
    claims,
    provisioning,
    jobs: registry.jobs ?? [],
    finders: [deviceFinder(deviceRepository(kysely))],
    async routes(router, http) {
      await registry.routes?.(router, http);
      deviceRoutes(router, { devices, arrivals, access, claims, bindings, provisioning });
    },
  };
}
