import type { Bus } from "../../providers/bus.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** How often devices that fell silent are looked for. */
const watchMs = 2000;
const heartbeatMs = 5000;
/** A server seen within this time kept watch; longer ago, nobody did. */
const aliveMs = 20_000;

export interface PresenceNeeds {
  repository: TelemetryRepository;
  bus: Bus;
  serverId: string;
  now: () => number;
  isConnected: (deviceId: string) => boolean;
  onFault: (error: unknown) => void;
}

/** Tells the live streams when a device begins or stops reporting. The table alone decides what a query answers. */
export function createPresence({ repository, bus, serverId, now, isConnected, onFault }: PresenceNeeds) {
  const onlineUntil = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let watchedUntil = now();
  let heartbeatAt = 0;

  const watch = async () => {
    const until = now();
    for (const { deviceId, connected } of await repository.wentSilent(new Date(watchedUntil), new Date(until))) {
      onlineUntil.delete(deviceId);
      bus.publish("presence", { deviceId, status: "offline", connected });
    }
    watchedUntil = until;
    if (until - heartbeatAt >= heartbeatMs) {
      await repository.heartbeat(serverId);
      heartbeatAt = until;
    }
  };

  return {
    /** Devices could not report while no server ran: they get the time that was missed. */
    async start(): Promise<void> {
      const lastSeen = await repository.lastHeartbeat();
      if (lastSeen !== undefined && now() - lastSeen.getTime() > aliveMs) {
        await repository.forgiveAbsence(lastSeen, now() - lastSeen.getTime());
      }
      await repository.heartbeat(serverId);
      const again = () => {
        timer = setTimeout(() => void watch().catch(onFault).finally(again), watchMs);
      };
      again();
    },
    /** Called with each committed batch. */
    reported(deviceId: string, until: number): void {
      const held = onlineUntil.get(deviceId) ?? 0;
      onlineUntil.set(deviceId, Math.max(held, until));
      if (held <= now() && until > now()) {
        bus.publish("presence", { deviceId, status: "online", connected: isConnected(deviceId) });
      }
    },
    connection(deviceId: string, connected: boolean): void {
      const status = (onlineUntil.get(deviceId) ?? 0) > now() ? "online" : "offline";
      bus.publish("presence", { deviceId, status, connected });
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await repository.heartbeat(serverId).catch(onFault);
    },
  };
}
export type Presence = ReturnType<typeof createPresence>;
