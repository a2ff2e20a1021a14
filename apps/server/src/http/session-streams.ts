import type { Bus } from "../providers/bus.ts";
import type { EventStream } from "./event-stream.ts";

/** Streams of an ended session are closed within this many ms, even when the message about its end was lost. */
const sessionCheckMs = 3000;

export interface SessionStreamsDependencies {
  bus: Bus;
  /** Returns those of the sessions that are still active. */
  activeSessions(sessionIds: string[]): Promise<string[]>;
}

/** Lets what serves a stream sleep until there is something to send; the stream's end wakes it, too. */
export function sleeperOf({ signal }: EventStream) {
  let rouse: () => void = () => undefined;
  const wake = (): void => rouse();
  signal.addEventListener("abort", wake, { once: true });
  return {
    wake,
    /** Sleeps until the next `wake`; one before it is not remembered, so that callers look for work first. */
    sleep: (): Promise<void> =>
      new Promise((resolve) => {
        rouse = resolve;
      }),
  };
}

/**
 * Ends live streams when their session ends, and when messages may have been lost; clients then reconnect and read the newest
 * state.
 */
export function createSessionStreams({ bus, activeSessions }: SessionStreamsDependencies) {
  const open = new Map<EventStream, string>();
  bus.subscribe("sessionEnded", ({ sessionId }) => {
    for (const [stream, session] of open) if (session === sessionId) stream.end();
  });
  bus.onGap(() => {
    for (const stream of open.keys()) stream.end();
  });
  const check = async () => {
    if (open.size === 0) return;
    const asked = new Set(open.values());
    const living = new Set(await activeSessions([...asked]));
    // A stream that was opened meanwhile was not part of the check.
    for (const [stream, session] of open) if (asked.has(session) && !living.has(session)) stream.end();
  };
  // While the database is unavailable no session can be checked; the next turn checks again.
  const timer = setInterval(() => void check().catch(() => undefined), sessionCheckMs);
  return {
    /** Watches a stream while it runs. */
    async watch(sessionId: string, stream: EventStream, serve: () => Promise<void>): Promise<void> {
      open.set(stream, sessionId);
      try {
        await serve();
      } finally {
        open.delete(stream);
      }
    },
    /** Number of open streams. */
    size: () => open.size,
    stop: () => clearInterval(timer),
  };
}
export type SessionStreams = ReturnType<typeof createSessionStreams>;
