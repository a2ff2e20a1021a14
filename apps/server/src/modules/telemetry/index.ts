import { setTimeout as pause } from "node:timers/promises";
import { type DeviceKind, deviceKinds, steppedChannels } from "@herdwise/device-kinds";
import { createPace } from "../../breather.ts";
import type { SessionCheck } from "../../http/session-streams.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { tracedWork } from "../../tracing/span.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { DeviceDownstream } from "../commands/index.ts";
import type { ClaimService, DeviceService, GatewayService, ProvisionService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { FileService } from "../files/index.ts";
import type { FirmwareService } from "../firmware/index.ts";
import type { SettingsService } from "../settings/index.ts";
import { deviceApiRoutes } from "./device-api.routes.ts";
import { createHistoryDownloads } from "./download.service.ts";
import { createTelemetryExports } from "./export.service.ts";
import { createGlance } from "./glance.service.ts";
import { historyRepository } from "./history.repository.ts";
import { createIngest, type StoredReadings } from "./ingest.service.ts";
import { createLive } from "./live.service.ts";
import { partitionRepository } from "./partition.repository.ts";
import { createPresence } from "./presence.service.ts";
import { type RecentRepository, recentRepository } from "./recent.repository.ts";
import { repairRepository } from "./repair.repository.ts";
import { createRepair } from "./repair.service.ts";
import { createRetention } from "./retention.service.ts";
import { rollUpRepository } from "./roll-up.repository.ts";
import { createRollUps } from "./roll-up.service.ts";
import { createSeries } from "./series.service.ts";
import type { EventRow } from "./telemetry.parse.ts";
import { telemetryRepository } from "./telemetry.repository.ts";
import { telemetryRoutes } from "./telemetry.routes.ts";
import { createTelemetryService, type TelemetryService } from "./telemetry.service.ts";
import { createUplink, type Uplink } from "./uplink.service.ts";

export type { StoredReadings } from "./ingest.service.ts";
export { type RecentInput, type RecentRepository, recentRepository } from "./recent.repository.ts";
export type { DropReason, EventRow } from "./telemetry.parse.ts";
export { telemetryRepository, utcDay } from "./telemetry.repository.ts";
export type { TelemetryService } from "./telemetry.service.ts";
export type { Uplink } from "./uplink.service.ts";

/** Interval in ms at which the number of committed values is added to the day's volume. */
const volumeFlushMs = 5000;

const offlineAfterS: ReadonlyMap<string, number> = new Map(
  Object.values(deviceKinds).map((kind) => [kind.kind, kind.offlineAfterS]),
);

const kindsById: ReadonlyMap<string, DeviceKind> = new Map(Object.values(deviceKinds).map((kind) => [kind.kind, kind]));

const steppedByKind = new Map(Object.values(deviceKinds).map((kind) => [kind.kind, steppedChannels(kind)]));

/** Follows messages of devices. Called after the commit and before the acknowledgement, so it must return quickly. */
interface TelemetryFollower {
  stored(parts: readonly StoredReadings[]): void;
  /** Events of a device; some of them may be repeated. */
  events(deviceId: string, events: readonly EventRow[]): void;
  /** Resolves when the follower has caught up; undefined where it already has. */
  ready(): Promise<void> | undefined;
  /** Called when another server ended; the data that it followed is stored, and is followed here from now on. */
  takeOver(): Promise<void>;
}

/** Longest time in ms for which followers may delay the ingest; their faults must not stop devices from being heard. */
const longestHoldMs = 1000;

/** Milliseconds per minute for which the repair of stored data runs. */
const repairStretchMs = 15_000;

export interface TelemetryModule extends ServerModule {
  readonly service: TelemetryService;
  /** Data stored since a time, for modules that follow devices. */
  readonly recent: RecentRepository;
  follow(follower: TelemetryFollower): void;
  /** Calls a listener after weighbridges sent tickets, which are stored then. */
  onWeighed(listener: () => void): void;
  /** Handles messages from all transports of the device protocol. */
  readonly uplink: Uplink;
}

export interface TelemetryModuleDependencies {
  settings: Pick<SettingsService, "numbers">;
  jobs: Pick<BackgroundJobService, "define" | "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  devices: DeviceService;
  farms: FarmService;
  gateways: GatewayService;
  claims: ClaimService;
  provisioning: ProvisionService;
  firmware: FirmwareService;
  downstream: DeviceDownstream;
  sessionCheck: Pick<SessionCheck, "watch">;
}

export function createTelemetryModule(platform: Platform, dependencies: TelemetryModuleDependencies): TelemetryModule {
  const { config, log, kysely, prepared, bus, now, serverId, metrics, tracing, warn, inTransaction } = platform;
  const { devices, gateways, claims, provisioning, firmware, farms, sessionCheck, downstream, settings, jobs, files } =
    dependencies;
  const devicesSend = systemScope("devices send by themselves, with their tokens");
  const repository = telemetryRepository(platform, devicesSend);
  const retention = createRetention({
    settings,
    inTransaction: inTransaction((db) => ({
      rollUps: rollUpRepository(db, devicesSend),
      partitions: partitionRepository(db, devicesSend),
    })),
    now,
    onError: warn("how long telemetry is kept could not be read"),
  });
  const rollUps = createRollUps({
    inTransaction: inTransaction((db) => rollUpRepository(db, devicesSend)),
    partitions: partitionRepository(kysely, devicesSend),
    now,
  });
  const repair = createRepair({
    repair: repairRepository(kysely, devicesSend),
    inTransaction: inTransaction((db) => ({
      repair: repairRepository(db, devicesSend),
      rollUps: rollUpRepository(db, devicesSend),
    })),
    partitions: partitionRepository(kysely, devicesSend),
    addKeys: repository.addKeys,
    kindOf: (kind) => kindsById.get(kind),
    now,
    pace: createPace(),
  });
  const presence = createPresence({
    repository,
    bus,
    serverId,
    // The data directory of an embedded database admits only one server.
    alone: config.databaseUrl === undefined,
    offlineAfterS,
    now,
    isConnected: (deviceId) => uplink.isConnected(deviceId),
    async onLostServer() {
      log.info("another server is gone; what it had in hand is taken over");
      for (const follower of followers) await follower.takeOver();
    },
    onError: warn("presence could not be checked"),
  });
  const followers: TelemetryFollower[] = [];
  const weighed: (() => void)[] = [];
  let unsavedValues = 0;
  const ingest = createIngest({
    repository,
    now,
    offlineAfterS: (kind) => offlineAfterS.get(kind) ?? 300,
    heldOf: repository.heldOf,
    steppedChannels: (kind) => steppedByKind.get(kind) ?? [],
    rawRetentionMs: () => retention.current().rawMs,
    onStored: (stored, values) => {
      unsavedValues += values;
      metrics.values.inc(values);
      bus.publish(
        "readings",
        stored.map(({ deviceId, readings }) => ({ deviceId, readings })),
      );
      for (const { deviceId, onlineUntil } of stored) presence.reported(deviceId, onlineUntil);
      for (const follower of followers) follower.stored(stored);
    },
    ready() {
      const waits = followers.map((follower) => follower.ready()).filter((wait) => wait !== undefined);
      return waits.length === 0
        ? undefined
        : Promise.race([Promise.all(waits), pause(longestHoldMs, undefined, { ref: false })]);
    },
    around: ({ messages, rows }, write) =>
      tracedWork(
        tracing,
        "store telemetry",
        { "messaging.batch.message_count": messages, "herdwise.rows": rows },
        write,
      ),
    onCommitted: (seconds) => metrics.ingestCommit.observe(seconds),
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
    repository: {
      ...repository,
      async insertEvents(deviceId, events) {
        await repository.insertEvents(deviceId, events);
        for (const follower of followers) follower.events(deviceId, events);
        if (events.some(({ type }) => type === "weighed")) for (const listener of weighed) listener();
      },
    },
    serverId,
    now,
    onPresence: presence.connection,
    onMessage: (outcome) => metrics.messages.inc({ outcome }),
    onError: warn("dropped messages were not counted yet"),
  });
  bus.subscribe("deviceChanged", ({ deviceId }) => uplink.changed(deviceId));
  const live = createLive({ bus, sessionCheck });
  const history = historyRepository(kysely, prepared);
  const { read } = createSeries({ history, retention: retention.current, now });
  const telemetry = createTelemetryService({ repository, history, read, devices, farms });
  const glance = createGlance({ read, devices, farms, now });
  const exports = createTelemetryExports({ history, jobs, files });
  const downloads = createHistoryDownloads({ history, read });

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
    recent: recentRepository(kysely, systemScope("devices are followed by themselves, whosever they are")),
    follow: (follower) => void followers.push(follower),
    onWeighed: (listener) => void weighed.push(listener),
    routes(router, http) {
      telemetryRoutes(router, { telemetry, glance, live, exports, downloads });
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
          const dropped = await retention.drop();
          if (dropped > 0) log.info({ dropped }, "partitions beyond retention were removed");
        },
      },
      {
        name: "telemetry.roll-ups",
        schedule: "*/5 * * * *",
        retries: 0,
        timeoutS: 3600,
        async run(_payload, { signal }) {
          await rollUps.run(signal);
        },
      },
      {
        name: "telemetry.repair",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 600,
        async run(_payload, { signal }) {
          // Limited, because other scheduled jobs wait for this one.
          const endMs = performance.now() + repairStretchMs;
          const repaired = await repair.run(signal, () => performance.now() > endMs);
          if (repaired)
            log.info(repaired, "readings that cannot be true were taken out of what earlier releases stored");
        },
      },
      jobs.define(exports.job),
    ],
    async start() {
      metrics.beforeRead(() => {
        metrics.waitingRows.set(ingest.waitingRows());
        metrics.liveStreams.set(live.size());
        metrics.connectedDevices.set(uplink.connectedDevices());
      });
      await retention.start();
      await ingest.preparePartitions();
      await presence.start();
      volumeTimer = setInterval(() => {
        void saveVolume().catch(volumeFailed);
      }, volumeFlushMs);
    },
    async stop() {
      clearInterval(volumeTimer);
      retention.stop();
      await ingest.stop();
      await uplink.stop();
      await presence.stop();
      await saveVolume();
    },
  };
}
