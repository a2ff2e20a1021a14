import type { Bus } from "../../providers/bus.ts";
import { repeat } from "../../repeat.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** How often devices that fell silent are looked for. */
const watchMs = 2000;
const heartbeatMs = 5000;
/** A server seen within this time kept watch; longer ago, nobody did. */
const aliveMs = 20_000;

export interface PresenceDependencies {
  repository: Pick<TelemetryRepository, "keepWatch" | "wentSilent">;
  bus: Bus;
  serverId: string;
  /** No other server can be on this database. */
  alone: boolean;
  /** How long each kind may be silent, in seconds. */
  offlineAfterS: ReadonlyMap<string, number>;
  now: () => number;
  isConnected: (deviceId: string) => boolean;
  /** Another server died: what it had in hand is this server's now. */
  onLostServer: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Tells the live streams when a device begins or stops reporting. The table alone decides what a query answers. */
export function createPresence(dependencies: PresenceDependencies) {
  const { repository, bus, serverId, alone, offlineAfterS, now, isConnected, onLostServer, onError } = dependencies;
  const onlineUntil = new Map<string, number>();
  let end: (() => Promise<void>) | undefined;
  let watchedUntil = now();
  /** Nobody else is told of a server that is gone, so this one tries until it has done it. */
  let owesTakeOver = false;
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  const watch = async () => {
    const until = now();
    // First, so that after an absence of the database its devices get their time before they are judged.
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
    /** Devices could not report while no server ran: they get a full interval before they count as offline. */
    async start(): Promise<void> {
      // Whatever a dead server left is taken up with everything else at the start.
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
    /** A device's connection was opened or closed: that alone makes nobody online. */
    connection(deviceId: string, connected: boolean, online: boolean): void {
      bus.publish("presence", { deviceId, status: online ? "online" : "offline", connected });
    },
    /** Looks once for devices that fell silent; it happens by itself every 2 s after `start`. */
    watch,
    async stop(): Promise<void> {
      await end?.();
      // The time of the end, from which the next start counts.
      await repository.keepWatch(serverId, { aliveMs, alone: false, offlineAfterS }).catch(onError);
    },
  };
}
