import type { CommandState, LiveEvent, Readings } from "@herdwise/contract";
import { createBreather } from "../../breather.ts";
import type { EventStream } from "../../http/event-stream.ts";
import type { SessionReach } from "../../http/session.ts";
import { createSessionStreams, type SessionCheck, sleeperOf } from "../../http/session-streams.ts";
import type { Bus } from "../../providers/bus.ts";
import { remember } from "./known-tokens.ts";
import type { TimedReading, TimedReadings } from "./telemetry.repository.ts";

/** Most command states that wait for a slow reader; older ones are left out. */
const commandsOfSlowReader = 100;

type TelemetryEvent = LiveEvent & { type: "telemetry"; readings: TimedReadings };

interface Pending {
  /** With a single message it is the event that all readers share, so that it is serialized once. */
  telemetry?: TelemetryEvent;
  presence?: { status: "online" | "offline"; connected: boolean } | undefined;
  /** Newest state of each command. */
  commands?: Map<string, CommandState> | undefined;
  /** Settings of the device changed. */
  parameters?: true;
}

interface Subscriber {
  /**
   * Values that the reader has not taken, the newest per key; so a slow reader costs one value per key, never a growing queue.
   */
  pending: Map<string, Pending>;
  wake: () => void;
}

/** A device that at least one reader follows. */
interface Followed {
  readers: Set<Subscriber>;
  /**
   * Times of the newest readings that all readers have or will get: late data is history, and never replaces newer values.
   * Stored once for all readers, because thousands may follow the same devices.
   */
  newest: Map<string, Time>;
}

type Time = Pick<TimedReading, "ts" | "us">;
const isNewer = (a: Time, b: Time | undefined): boolean =>
  b === undefined || a.ts > b.ts || (a.ts === b.ts && (a.us ?? 0) > (b.us ?? 0));

const noCommands: ReadonlyMap<string, CommandState> = new Map();
const telemetryEvent = (id: string, readings: TimedReadings): TelemetryEvent => ({ type: "telemetry", id, readings });

/** Without a prototype, because a device may send a key such as "constructor". */
const noReadings = (): TimedReadings => Object.create(null);

/** Sends committed readings to the live streams that follow the device. */
export function createLive({ bus, sessionCheck }: { bus: Bus; sessionCheck: Pick<SessionCheck, "watch"> }) {
  const followed = new Map<string, Followed>();
  const streams = createSessionStreams(sessionCheck);
  /** One event for all readers who get the same snapshot, so that it is serialized once. */
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

  /** Sends readings that are newer than the readers' to all of them, except the one who already has them. */
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
  /** Pending items other than readings, which are rare. */
  const othersOf = (id: string, { presence, commands, parameters }: Pending): LiveEvent[] => {
    const others: LiveEvent[] = [];
    if (presence) others.push({ type: "presence", id, ...presence });
    for (const [commandId, state] of commands ?? noCommands) others.push({ type: "command", id, commandId, state });
    if (parameters) others.push({ type: "parameter", id });
    return others;
  };

  /** Data that arrived while the snapshot was read, without what the snapshot contains. */
  const withoutKnown = (id: string, { telemetry, ...rest }: Pending, snapshot: TimedReadings): Pending => {
    const newer = Object.entries(telemetry?.readings ?? {}).filter(([key, reading]) => isNewer(reading, snapshot[key]));
    if (newer.length === 0) return rest;
    return { ...rest, telemetry: telemetryEvent(id, Object.assign(noReadings(), Object.fromEntries(newer))) };
  };

  return {
    /**
     * Serves one stream until it ends: first the newest readings, then each change.
     * @param snapshot reads the newest readings; called after the subscription, so that nothing is lost in between
     */
    async serve(
      session: SessionReach,
      ids: readonly string[],
      snapshot: () => Promise<Map<string, Readings>>,
      stream: EventStream,
    ): Promise<void> {
      const { wake, sleep } = sleeperOf(stream);
      const subscriber: Subscriber = { pending: new Map(), wake };
      for (const id of ids) {
        const device = followed.get(id) ?? { readers: new Set(), newest: new Map() };
        device.readers.add(subscriber);
        followed.set(id, device);
      }
      try {
        await streams.watch(session, stream, async () => {
          for (const [id, readings] of await snapshot()) {
            if (stream.signal.aborted) return;
            const held = subscriber.pending.get(id);
            if (held !== undefined) subscriber.pending.set(id, withoutKnown(id, held, readings));
            // The database may be ahead of the bus, so the other readers get these values, too.
            noteReadings(id, readings, subscriber);
            if (Object.keys(readings).length > 0) await stream.send("telemetry", snapshotEvent(id, readings));
            await breathe();
          }
          while (!stream.signal.aborted) {
            if (subscriber.pending.size === 0) {
              await sleep();
              continue;
            }
            const pending = subscriber.pending;
            subscriber.pending = new Map();
            for (const [id, change] of pending) {
              const { telemetry } = change;
              // Awaited only where necessary, because this runs for each event of each reader.
              const full = telemetry && stream.send("telemetry", telemetry);
              if (full) await full;
              for (const event of othersOf(id, change)) await stream.send(event.type, event);
              const turn = breathe();
              if (turn) await turn;
            }
          }
        });
      } finally {
        for (const id of ids) {
          const device = followed.get(id);
          device?.readers.delete(subscriber);
          if (device?.readers.size === 0) followed.delete(id);
        }
      }
    },
    /** Number of open streams. */
    size: streams.size,
  };
}
export type Live = ReturnType<typeof createLive>;
