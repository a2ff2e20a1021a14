import {
  deviceBind,
  deviceBlock,
  deviceClaim,
  deviceCounts,
  deviceDemoLabels,
  deviceDetail,
  deviceFresh,
  deviceGateway,
  deviceInspect,
  deviceLabels,
  deviceLatest,
  deviceLogin,
  deviceLookUp,
  devicePage,
  devicePlace,
  deviceTokenRenew,
  deviceUnbind,
  deviceUnbindEffects,
  provisionPage,
  provisionRemove,
  provisionSubmit,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { BindingService } from "./binding.service.ts";
import type { ClaimService } from "./claim.service.ts";
import type { DeviceService } from "./device.service.ts";
import type { DeviceAccessService } from "./device-access.service.ts";
import type { Arrivals } from "./fresh.service.ts";
import type { ProvisionService } from "./provision.service.ts";

export interface DeviceRouteServices {
  devices: DeviceService;
  arrivals: Arrivals;
  access: DeviceAccessService;
  claims: ClaimService;
  bindings: BindingService;
  provisioning: ProvisionService;
}

export function deviceRoutes(
  router: Router,
  { devices, arrivals, access, claims, bindings, provisioning }: DeviceRouteServices,
): void {
  router.on(devicePage, ({ scope, query }) => devices.page(scope, query));
  router.on(deviceCounts, ({ scope }) => devices.countsByStatus(scope));
  router.on(deviceDetail, ({ scope, query }) => devices.detail(scope, query.id));
  router.on(deviceInspect, ({ scope, query }) => devices.detail(scope, query.id));
  router.on(deviceLatest, ({ scope, query }) => devices.latest(scope, query.id));
  router.on(deviceClaim, ({ scope, body }) => claims.claim(scope, body));
  router.on(deviceFresh, ({ scope, query }) => arrivals.list(scope, query.id));
  router.on(deviceDemoLabels, ({ scope }) => bindings.demoLabels(scope));
  router.on(deviceLookUp, ({ scope, body }) => bindings.lookUp(scope, body));
  router.on(deviceBind, ({ scope, body }) => bindings.bind(scope, body));
  router.on(deviceUnbindEffects, ({ scope, query }) => bindings.unbindEffects(scope, query.id));
  router.on(deviceUnbind, ({ scope, body }) => bindings.unbind(scope, body.id));
  router.on(devicePlace, async ({ scope, body }) => {
    await bindings.place(scope, body);
    return {};
  });
  router.on(deviceBlock, async ({ scope, body }) => {
    await bindings.block(scope, body);
    return {};
  });
  router.on(deviceLabels, ({ scope, body }) => bindings.labels(scope, body));
  router.on(deviceTokenRenew, ({ scope, body }) => access.renewToken(scope, body.id));
  router.on(deviceLogin, ({ scope, body }) => access.setLogin(scope, body));
  router.on(deviceGateway, ({ scope, body }) => access.setGateway(scope, body));
  router.on(provisionPage, ({ query }) => provisioning.page(query));
  router.on(provisionSubmit, ({ scope, body }) => provisioning.submit(scope, body));
  router.on(provisionRemove, async ({ scope, query }) => {
    await provisioning.remove(scope, query.id);
    return {};
  });
}
