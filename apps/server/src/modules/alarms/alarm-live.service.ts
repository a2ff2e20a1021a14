import type { Alarm, AlarmEvent } from "@herdwise/contract";
import type { EventStream } from "../../http/event-stream.ts";
import type { SessionReach } from "../../http/session.ts";
import { createSessionStreams, type SessionCheck } from "../../http/session-streams.ts";
import type { Bus } from "../../providers/bus.ts";
import type { TenantScope } from "../../tenant-scope.ts";

interface Reader {
  readonly scope: TenantScope;
  /**
   * Newest state of each alarm that the reader has not taken yet; so a slow reader costs one entry per alarm, never a growing
   * queue.
   */
  pending: Map<string, Alarm>;
  /** More alarms changed than `pending` holds, so the reader must load the list again. */
  reset: boolean;
  wake: () => void;
}

export interface AlarmLiveDependencies {
  bus: Bus;
  sessionCheck: Pick<SessionCheck, "watch">;
  /** Alarms by their ids, of any tenant. */
  some(ids: readonly string[]): Promise<Alarm[]>;
  /** Those of these ids that a scope reaches. */
  reached(scope: TenantScope, ids: readonly string[]): Promise<readonly string[]>;
  onError(error: unknown): void;
}

/** Most alarms that wait for one reader. */
const mostPending = 500;
/** Most ids that wait to be read for all readers. */
const mostWaiting = 5000;

/** Sends alarms that were raised, changed or ended to the live streams of their tenant. */
export function createAlarmLive({ bus, sessionCheck, some, reached, onError }: AlarmLiveDependencies) {
  const readers = new Set<Reader>();
  const streams = createSessionStreams(sessionCheck);
  let waiting = new Set<string>();
  let reading = false;

  const sees = ({ scope }: Reader, tenantId: string): boolean => scope.everyTenant || scope.tenantId === tenantId;
  const resetAll = (concerned: (reader: Reader) => boolean): void => {
    for (const reader of readers) {
      if (!concerned(reader)) continue;
      reader.pending.clear();
      reader.reset = true;
      reader.wake();
    }
  };

  /** Readers whose data scope leaves out alarms of their tenant, with those that it reaches. */
  const limitsOf = async (ids: readonly string[]): Promise<Map<Reader, ReadonlySet<string>>> => {
    const limited = [...readers].filter(({ scope }) => !scope.rows.all);
    const sets = await Promise.all(limited.map(async ({ scope }) => new Set(await reached(scope, ids))));
    return new Map(limited.map((reader, at) => [reader, sets[at] ?? new Set()]));
  };

  const hand = (alarm: Alarm, limits: ReadonlyMap<Reader, ReadonlySet<string>>): void => {
    for (const reader of readers) {
      if (!sees(reader, alarm.tenantId) || reader.reset) continue;
      // Who came after the limits were read begins with a reset.
      if (!reader.scope.rows.all && limits.get(reader)?.has(alarm.id) !== true) continue;
      reader.pending.set(alarm.id, alarm);
      if (reader.pending.size > mostPending) {
        reader.pending.clear();
        reader.reset = true;
      }
      reader.wake();
    }
  };

  /** Reads each alarm once for all readers. */
  const read = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      while (waiting.size > 0) {
        const ids = [...waiting].slice(0, mostPending);
        for (const id of ids) waiting.delete(id);
        const [alarms, limits] = await Promise.all([some(ids), limitsOf(ids)]);
        for (const alarm of alarms) hand(alarm, limits);
      }
    } catch (error) {
      onError(error);
      waiting = new Set();
      resetAll(() => true);
    } finally {
      reading = false;
    }
  };

  bus.subscribe("alarmsChanged", ({ tenantId, ids }) => {
    if (![...readers].some((reader) => sees(reader, tenantId))) return;
    if (waiting.size + ids.length > mostWaiting) {
      waiting = new Set();
      resetAll(() => true);
      return;
    }
    for (const id of ids) waiting.add(id);
    void read();
  });

  return {
    /** Serves one stream until it ends. It begins with `reset`, so that the client loads open alarms after it is subscribed. */
    serve: (session: SessionReach, scope: TenantScope, stream: EventStream): Promise<void> =>
      streams.watch(session, stream, async () => {
        let wake: () => void = () => undefined;
        const reader: Reader = { scope, pending: new Map(), reset: true, wake: () => wake() };
        readers.add(reader);
        stream.signal.addEventListener("abort", reader.wake);
        const send = (event: AlarmEvent) => stream.send(event.type, event);
        try {
          while (!stream.signal.aborted) {
            if (reader.reset) {
              reader.reset = false;
              await send({ type: "reset" });
            } else if (reader.pending.size > 0) {
              const { pending } = reader;
              reader.pending = new Map();
              for (const alarm of pending.values()) await send({ type: "alarm", alarm });
            } else {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
            }
          }
        } finally {
          stream.signal.removeEventListener("abort", reader.wake);
          readers.delete(reader);
        }
      }),
    /** Number of open streams. */
    size: streams.size,
  };
}
export type AlarmLive = ReturnType<typeof createAlarmLive>;
