import {
  firmwareBytes,
  firmwarePage,
  firmwareRollout,
  firmwareRolloutPage,
  firmwareRolloutStep,
  firmwareUpdatePage,
  firmwareUpdateRetry,
  firmwareUpload,
  firmwareVersions,
} from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { firmwareProtocolRepository, firmwareRepository } from "./firmware.repository.ts";
import { createFirmwareService, type FirmwareService } from "./firmware.service.ts";

export type { FirmwareService } from "./firmware.service.ts";

export interface FirmwareModule extends ServerModule {
  readonly service: FirmwareService;
}

export function createFirmwareModule(
  { kysely, inTransaction, nextId }: Platform,
  { settingsChanged }: { settingsChanged: (deviceId: string) => void },
): FirmwareModule {
  const firmware = createFirmwareService({
    repository: firmwareRepository(kysely),
    protocol: firmwareProtocolRepository(kysely, systemScope("devices fetch what is offered to them")),
    withAudit: inTransaction((db) => ({ firmware: firmwareRepository(db), audit: auditRepository(db) })),
    nextId,
    wake: settingsChanged,
  });
  return {
    service: firmware,
    routes(router) {
      router.on(firmwarePage, ({ query }) => firmware.page(query));
      router.on(firmwareVersions, ({ scope }) => firmware.versions(scope));
      router.upload(firmwareUpload, firmwareBytes, ({ scope, query }, file) => firmware.upload(scope, query, file));
      router.on(firmwareRolloutPage, ({ scope, query }) => firmware.rollouts(scope, query));
      router.on(firmwareRollout, ({ scope, body }) => firmware.rollout(scope, body));
      router.on(firmwareRolloutStep, ({ scope, body }) => firmware.step(scope, body));
      router.on(firmwareUpdateRetry, ({ scope, body }) => firmware.retry(scope, body));
      router.on(firmwareUpdatePage, ({ scope, query }) => firmware.updates(scope, query));
    },
  };
}
