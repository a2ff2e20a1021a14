import type { LiveEvent, Readings } from "@herdwise/contract";
import type { EventStream } from "../../http/event-stream.ts";
import { createSessionStreams, type SessionStreamsDependencies } from "../../http/session-streams.ts";
import type { TimedReading, TimedReadings } from "./telemetry.repository.ts";

interface Pending {
  readings: TimedReadings;
  presence?: { status: "online" | "offline"; connected: boolean } | undefined;
}

interface Subscriber {
  /** What the reader has not taken yet, newest value per key: a slow reader costs one value per key, never a queue. */
  pending: Map<string, Pending>;
  /** Times of what was sent, per device and key: what a device sends late is history, and never replaces what is newer. */
  sent: Map<string, Map<string, Time>>;
  wake: () => void;
}

type Time = Pick<TimedReading, "ts" | "us">;
const isNewer = (a: Time, b: Time | undefined): boolean =>
  b === undefined || a.ts > b.ts || (a.ts === b.ts && (a.us ?? 0) > (b.us ?? 0));

/** Keys are a device's choice: on an ordinary object "constructor" would be there before anybody sent it. */
const noReadings = (): TimedReadings => Object.create(null);

/** Hands committed readings to the streams of those who asked for the device. */
export function createLive({ bus, activeSessions }: SessionStreamsDependencies) {
  const byDevice = new Map<string, Set<Subscriber>>();
  const streams = createSessionStreams({ bus, activeSessions });

  const note = (deviceId: string, change: (pending: Pending) => void): void => {
    for (const subscriber of byDevice.get(deviceId) ?? []) {
      let pending = subscriber.pending.get(deviceId);
      if (pending === undefined) {
        pending = { readings: noReadings() };
        subscriber.pending.set(deviceId, pending);
      }
      change(pending);
      subscriber.wake();
    }
  };

  bus.subscribe("readings", (changes) => {
    for (const { deviceId, readings } of changes) {
      note(deviceId, (pending) => {
        for (const [key, reading] of Object.entries(readings)) {
          const timed = reading as TimedReading;
          if (isNewer(timed, pending.readings[key])) pending.readings[key] = timed;
        }
      });
    }
  });
  bus.subscribe("presence", ({ deviceId, status, connected }) => {
    note(deviceId, (pending) => {
      pending.presence = { status, connected };
    });
  });
  const eventsOf = (sent: Subscriber["sent"], id: string, { readings, presence }: Pending): LiveEvent[] => {
    const fresh = noReadings();
    let times = sent.get(id);
    for (const [key, reading] of Object.entries(readings)) {
      if (!isNewer(reading, times?.get(key))) continue;
      fresh[key] = reading;
      if (times === undefined) {
        times = new Map();
        sent.set(id, times);
      }
      times.set(key, reading.us === undefined ? { ts: reading.ts } : { ts: reading.ts, us: reading.us });
    }
    return [
      ...(Object.keys(fresh).length > 0 ? [{ type: "telemetry" as const, id, readings: fresh }] : []),
      ...(presence ? [{ type: "presence" as const, id, ...presence }] : []),
    ];
  };

  return {
    /**
     * Serves one stream until it ends: first the newest readings, then each change.
     * @param snapshot reads what is newest now; called after the subscription, so that nothing falls between
     */
    async serve(
      sessionId: string,
      ids: readonly string[],
      snapshot: () => Promise<Map<string, Readings>>,
      stream: EventStream,
    ): Promise<void> {
      let wake: () => void = () => undefined;
      const subscriber: Subscriber = {
        pending: new Map(),
        sent: new Map(),
        wake: () => wake(),
      };
      for (const id of ids) {
        const set = byDevice.get(id) ?? new Set();
        set.add(subscriber);
        byDevice.set(id, set);
      }
      const stop = () => wake();
      stream.signal.addEventListener("abort", stop);
      try {
        await streams.watch(sessionId, stream, async () => {
          for (const [id, readings] of await snapshot()) {
            for (const event of eventsOf(subscriber.sent, id, { readings })) await stream.send(event.type, event);
          }
          while (!stream.signal.aborted) {
            if (subscriber.pending.size === 0) {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
              continue;
            }
            const pending = subscriber.pending;
            subscriber.pending = new Map();
            for (const [id, change] of pending) {
              for (const event of eventsOf(subscriber.sent, id, change)) await stream.send(event.type, event);
            }
          }
        });
      } finally {
        stream.signal.removeEventListener("abort", stop);
        for (const id of ids) {
          const set = byDevice.get(id);
          set?.delete(subscriber);
          if (set?.size === 0) byDevice.delete(id);
        }
      }
    },
    /** Open streams. */
    size: streams.size,
    stop: streams.stop,
  };
}
export type Live = ReturnType<typeof createLive>;
