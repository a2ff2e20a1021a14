import {
  deviceClaim,
  deviceDetail,
  deviceGateway,
  deviceLatest,
  deviceLogin,
  devicePage,
  deviceTokenRenew,
  provisionPage,
  provisionRemove,
  provisionSubmit,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { ClaimService } from "./claim.service.ts";
import type { DeviceService } from "./device.service.ts";
import type { DeviceAccessService } from "./device-access.service.ts";
import type { ProvisionService } from "./provision.service.ts";

export interface DeviceRouteServices {
  devices: DeviceService;
  access: DeviceAccessService;
  claims: ClaimService;
  provisioning: ProvisionService;
}

export function deviceRoutes(router: Router, { devices, access, claims, provisioning }: DeviceRouteServices): void {
  router.on(devicePage, ({ scope, query }) => devices.page(scope, query));
  router.on(deviceDetail, ({ scope, query }) => devices.detail(scope, query.id));
  router.on(deviceLatest, ({ scope, query }) => devices.latest(scope, query.id));
  router.on(deviceClaim, ({ scope, body }) => claims.claim(scope, body));
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
