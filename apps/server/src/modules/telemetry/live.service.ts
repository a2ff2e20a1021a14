import type { CommandState, LiveEvent, Readings } from "@herdwise/contract";
import { createBreather } from "../../breather.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { createSessionStreams, type SessionStreamsDependencies } from "../../http/session-streams.ts";
import { remember } from "./known-tokens.ts";
import type { TimedReading, TimedReadings } from "./telemetry.repository.ts";

/** States of commands that wait for a reader who is slow; older ones are left out. */
const commandsOfSlowReader = 100;

type TelemetryEvent = LiveEvent & { type: "telemetry"; readings: TimedReadings };

interface Pending {
  /** Of one message it is one event that all readers share, so that it is written out once. */
  telemetry?: TelemetryEvent;
  presence?: { status: "online" | "offline"; connected: boolean } | undefined;
  /** Newest state per command. */
  commands?: Map<string, CommandState> | undefined;
  /** Something became of its settings. */
  parameters?: true;
}

interface Subscriber {
  /** What the reader has not taken yet, newest value per key: a slow reader costs one value per key, never a queue. */
  pending: Map<string, Pending>;
  wake: () => void;
}

/** A device that somebody follows. */
interface Followed {
  readers: Set<Subscriber>;
  /**
   * Times of the newest readings that all readers have, or will get: what a device sends late is history, and never replaces what
   * is newer. Kept once for all of them: thousands may follow the same devices.
   */
  newest: Map<string, Time>;
}

type Time = Pick<TimedReading, "ts" | "us">;
const isNewer = (a: Time, b: Time | undefined): boolean =>
  b === undefined || a.ts > b.ts || (a.ts === b.ts && (a.us ?? 0) > (b.us ?? 0));

const noCommands: ReadonlyMap<string, CommandState> = new Map();
const telemetryEvent = (id: string, readings: TimedReadings): TelemetryEvent => ({ type: "telemetry", id, readings });

/** Keys are a device's choice: on an ordinary object "constructor" would be there before anybody sent it. */
const noReadings = (): TimedReadings => Object.create(null);

/** Hands committed readings to the streams of those who asked for the device. */
export function createLive({ bus, activeSessions }: SessionStreamsDependencies) {
  const followed = new Map<string, Followed>();
  const streams = createSessionStreams({ bus, activeSessions });
  /** Snapshots are shared: one event for all who are shown the same, so that it is written out once. */
  const snapshotEvents = new WeakMap<Readings, TelemetryEvent>();
  const breathe = createBreather();

  const snapshotEvent = (id: string, readings: Readings): TelemetryEvent => {
    const event = snapshotEvents.get(readings) ?? telemetryEvent(id, readings);
    snapshotEvents.set(readings, event);
    return event;
  };

  const note = (deviceId: string, change: (pending: Pending) => void, except?: Subscriber): void => {
    for (const subscriber of followed.get(deviceId)?.readers ?? []) {
      if (subscriber === except) continue;
      let pending = subscriber.pending.get(deviceId);
      if (pending === undefined) {
        pending = {};
        subscriber.pending.set(deviceId, pending);
      }
      change(pending);
      subscriber.wake();
    }
  };

  /** Gives what is newer than what the readers of a device have to all of them, or to all but the one who has it. */
  const noteReadings = (deviceId: string, readings: Readings, except?: Subscriber): void => {
    const newest = followed.get(deviceId)?.newest;
    if (newest === undefined) return;
    const fresh = noReadings();
    let any = false;
    for (const [key, reading] of Object.entries(readings)) {
      const timed = reading as TimedReading;
      if (!isNewer(timed, newest.get(key))) continue;
      newest.set(key, timed.us === undefined ? { ts: timed.ts } : { ts: timed.ts, us: timed.us });
      fresh[key] = timed;
      any = true;
    }
    if (!any) return;
    const event = telemetryEvent(deviceId, fresh);
    note(
      deviceId,
      (pending) => {
        const { telemetry } = pending;
        pending.telemetry =
          telemetry === undefined
            ? event
            : telemetryEvent(deviceId, Object.assign(noReadings(), telemetry.readings, fresh));
      },
      except,
    );
  };

  bus.subscribe("readings", (changes) => {
    for (const { deviceId, readings } of changes) noteReadings(deviceId, readings);
  });
  bus.subscribe("presence", ({ deviceId, status, connected }) => {
    note(deviceId, (pending) => {
      pending.presence = { status, connected };
    });
  });
  bus.subscribe("commandChanged", ({ deviceId, commandId, state }) => {
    note(deviceId, (pending) => {
      pending.commands ??= new Map();
      remember(pending.commands, commandId, state, commandsOfSlowReader);
    });
  });
  bus.subscribe("parametersChanged", ({ deviceId }) => {
    note(deviceId, (pending) => {
      pending.parameters = true;
    });
  });
  /** What is pending beside readings, which is seldom. */
  const othersOf = (id: string, { presence, commands, parameters }: Pending): LiveEvent[] => {
    const others: LiveEvent[] = [];
    if (presence) others.push({ type: "presence", id, ...presence });
    for (const [commandId, state] of commands ?? noCommands) others.push({ type: "command", id, commandId, state });
    if (parameters) others.push({ type: "parameter", id });
    return others;
  };

  /** What came while the snapshot was read, without what is in it already. */
  const withoutKnown = (id: string, { telemetry, ...rest }: Pending, snapshot: TimedReadings): Pending => {
    const newer = Object.entries(telemetry?.readings ?? {}).filter(([key, reading]) => isNewer(reading, snapshot[key]));
    if (newer.length === 0) return rest;
    return { ...rest, telemetry: telemetryEvent(id, Object.assign(noReadings(), Object.fromEntries(newer))) };
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
        wake: () => wake(),
      };
      for (const id of ids) {
        const device = followed.get(id) ?? { readers: new Set(), newest: new Map() };
        device.readers.add(subscriber);
        followed.set(id, device);
      }
      const stop = () => wake();
      stream.signal.addEventListener("abort", stop);
      try {
        await streams.watch(sessionId, stream, async () => {
          for (const [id, readings] of await snapshot()) {
            if (stream.signal.aborted) return;
            const held = subscriber.pending.get(id);
            if (held !== undefined) subscriber.pending.set(id, withoutKnown(id, held, readings));
            // Read from the database, it may be ahead of the bus: the others hear of it here.
            noteReadings(id, readings, subscriber);
            if (Object.keys(readings).length > 0) await stream.send("telemetry", snapshotEvent(id, readings));
            await breathe();
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
              const { telemetry } = change;
              // Waited for only where there is something to wait for: this runs for each event of each reader.
              const full = telemetry && stream.send("telemetry", telemetry);
              if (full) await full;
              for (const event of othersOf(id, change)) await stream.send(event.type, event);
              const turn = breathe();
              if (turn) await turn;
            }
          }
        });
      } finally {
        stream.signal.removeEventListener("abort", stop);
        for (const id of ids) {
          const device = followed.get(id);
          device?.readers.delete(subscriber);
          if (device?.readers.size === 0) followed.delete(id);
        }
      }
    },
    /** Open streams. */
    size: streams.size,
    stop: streams.stop,
  };
}
export type Live = ReturnType<typeof createLive>;
