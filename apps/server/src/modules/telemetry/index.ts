import { deviceKinds } from "@herdwise/device-kinds";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { DeviceDownstream } from "../commands/index.ts";
import type { ClaimService, DeviceService, GatewayService, ProvisionService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { FirmwareService } from "../firmware/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { deviceApiRoutes } from "./device-api.routes.ts";
import { historyRepository } from "./history.repository.ts";
import { createIngest } from "./ingest.service.ts";
import { createLive } from "./live.service.ts";
import { createPresence } from "./presence.service.ts";
import { messageLimits } from "./telemetry.parse.ts";
import { telemetryRepository } from "./telemetry.repository.ts";
import { telemetryRoutes } from "./telemetry.routes.ts";
import { createTelemetryService, type TelemetryService } from "./telemetry.service.ts";
import { createUplink, type Uplink } from "./uplink.service.ts";

export type { DropReason } from "./telemetry.parse.ts";
export { telemetryRepository } from "./telemetry.repository.ts";
export type { Uplink } from "./uplink.service.ts";

/** Values that this server committed are added to the volume of the day this often. */
const volumeFlushMs = 5000;
const dayMs = 86_400_000;

const offlineAfterS: ReadonlyMap<string, number> = new Map(
  Object.values(deviceKinds).map((kind) => [kind.kind, kind.offlineAfterS]),
);

export interface TelemetryModule extends ServerModule {
  readonly service: TelemetryService;
  /** What the transports of the device protocol hand their messages to. */
  readonly uplink: Uplink;
}

export interface TelemetryModuleDependencies {
  devices: DeviceService;
  farms: FarmService;
  gateways: GatewayService;
  claims: ClaimService;
  provisioning: ProvisionService;
  firmware: FirmwareService;
  downstream: DeviceDownstream;
  identity: Pick<IdentityService, "activeSessions">;
}

export function createTelemetryModule(platform: Platform, dependencies: TelemetryModuleDependencies): TelemetryModule {
  const { config, log, kysely, bus, now, serverId, metrics, warn } = platform;
  const { devices, gateways, claims, provisioning, firmware, farms, identity, downstream } = dependencies;
  const repository = telemetryRepository(kysely, systemScope("devices send by themselves, with their tokens"));
  const presence = createPresence({
    repository,
    bus,
    serverId,
    // The folder of the embedded database admits one server.
    alone: config.databaseUrl === undefined,
    offlineAfterS,
    now,
    isConnected: (deviceId) => uplink.isConnected(deviceId),
    onError: warn("presence could not be checked"),
  });
  let unsavedValues = 0;
  const ingest = createIngest({
    repository,
    now,
    offlineAfterS: (kind) => offlineAfterS.get(kind) ?? 300,
    knownKeys: devices.knownKeys,
    onStored: (stored, values) => {
      unsavedValues += values;
      metrics.values.inc(values);
      bus.publish(
        "readings",
        stored.map(({ deviceId, readings }) => ({ deviceId, readings })),
      );
      for (const { deviceId, onlineUntil } of stored) presence.reported(deviceId, onlineUntil);
    },
    onError: (error, rows) => {
      metrics.ingestFaults.inc();
      log.warn({ err: error, rows }, "a batch was not stored and is tried again");
    },
  });
  const uplink = createUplink({
    devices,
    gateways,
    claims,
    provisioning,
    firmware,
    downstream,
    ingest,
    repository,
    serverId,
    now,
    onPresence: presence.connection,
    onMessage: (outcome) => metrics.messages.inc({ outcome }),
    onError: warn("dropped messages were not counted yet"),
  });
  bus.subscribe("deviceChanged", ({ deviceId }) => uplink.changed(deviceId));
  const live = createLive({ bus, activeSessions: identity.activeSessions });
  const telemetry = createTelemetryService({ repository, history: historyRepository(kysely), devices, farms });

  const saveVolume = async () => {
    if (unsavedValues === 0) return;
    const values = unsavedValues;
    unsavedValues = 0;
    await repository.addVolume(values);
  };
  let volumeTimer: NodeJS.Timeout | undefined;
  const volumeFailed = warn("the volume was not counted");

  return {
    service: telemetry,
    uplink,
    routes(router, http) {
      telemetryRoutes(router, telemetry, live);
      deviceApiRoutes(http, uplink, platform.stopping);
    },
    jobs: [
      {
        name: "telemetry.partitions",
        schedule: "*/10 * * * *",
        retries: 0,
        timeoutS: 300,
        async run() {
          await ingest.preparePartitions();
          const oldest = new Date(now() - messageLimits.ageMs - dayMs).toISOString().slice(0, 10);
          const dropped = await repository.dropPartitionsBefore(oldest);
          if (dropped > 0) log.info({ dropped }, "days beyond retention were removed");
        },
      },
    ],
    async start() {
      await ingest.preparePartitions();
      await presence.start();
      volumeTimer = setInterval(() => {
        metrics.waitingRows.set(ingest.waitingRows());
        metrics.liveStreams.set(live.size());
        void saveVolume().catch(volumeFailed);
      }, volumeFlushMs);
    },
    async stop() {
      clearInterval(volumeTimer);
      await ingest.stop();
      await uplink.stop();
      live.stop();
      await presence.stop();
      await saveVolume();
    },
  };
}
