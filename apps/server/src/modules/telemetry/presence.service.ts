import type { Bus } from "../../providers/bus.ts";
import { repeat } from "../../repeat.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** Interval in ms at which devices that stopped reporting are looked for. */
const watchMs = 2000;
const heartbeatMs = 5000;
/** A server seen within this many ms counts as running. */
const aliveMs = 20_000;

export interface PresenceDependencies {
  repository: Pick<TelemetryRepository, "keepWatch" | "wentSilent">;
  bus: Bus;
  serverId: string;
  /** This server is the only one that can use the database. */
  alone: boolean;
  /** Seconds without a message after which each kind is offline. */
  offlineAfterS: ReadonlyMap<string, number>;
  now: () => number;
  isConnected: (deviceId: string) => boolean;
  /** Called when another server ended, so that this one continues its work. */
  onLostServer: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Tells the live streams when a device starts or stops reporting; queries read the state from the table only. */
export function createPresence(dependencies: PresenceDependencies) {
  const { repository, bus, serverId, alone, offlineAfterS, now, isConnected, onLostServer, onError } = dependencies;
  const onlineUntil = new Map<string, number>();
  let end: (() => Promise<void>) | undefined;
  let watchedUntil = now();
  /** No other server is told of the one that ended, so this one retries until it has taken over. */
  let owesTakeOver = false;
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  const watch = async () => {
    const until = now();
    // Runs first, so that after a downtime of the database its devices get their full interval.
    if (until - heartbeatAt >= heartbeatMs) {
      const { lostServer } = await repository.keepWatch(serverId, { aliveMs, alone: false, offlineAfterS });
      heartbeatAt = until;
      owesTakeOver ||= lostServer;
    }
    if (owesTakeOver) {
      await onLostServer();
      owesTakeOver = false;
    }
    for (const { deviceId, connected } of await repository.wentSilent(new Date(watchedUntil), new Date(until))) {
      onlineUntil.delete(deviceId);
      bus.publish("presence", { deviceId, status: "offline", connected });
    }
    watchedUntil = until;
  };

  return {
    /** Devices could not report while no server ran, so they get a full interval before they count as offline. */
    async start(): Promise<void> {
      // Data of a server that ended is loaded with everything else at the start.
      await repository.keepWatch(serverId, { aliveMs, alone, offlineAfterS });
      heartbeatAt = now();
      end = repeat(watch, watchMs, onError);
    },
    /** Called with each committed batch. */
    reported(deviceId: string, until: number): void {
      const held = onlineUntil.get(deviceId) ?? 0;
      if (until > held) onlineUntil.set(deviceId, until);
      if (held <= now() && until > now()) {
        bus.publish("presence", { deviceId, status: "online", connected: isConnected(deviceId) });
      }
    },
    /** Records that a device's connection was opened or closed, which does not change whether it is online. */
    connection(deviceId: string, connected: boolean, online: boolean): void {
      bus.publish("presence", { deviceId, status: online ? "online" : "offline", connected });
    },
    /** Looks once for devices that stopped reporting; after `start` it runs every 2 s. */
    watch,
    async stop(): Promise<void> {
      await end?.();
      // Stores the time of the stop, from which the next start counts.
      await repository.keepWatch(serverId, { aliveMs, alone: false, offlineAfterS }).catch(onError);
    },
  };
}
