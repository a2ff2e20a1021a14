import type { Bus } from "../providers/bus.ts";
import type { EventStream } from "./event-stream.ts";

/** Streams of ended sessions close within this time even when the message of the end was lost. */
const sessionCheckMs = 3000;

export interface SessionStreamsDependencies {
  bus: Bus;
  /** Which of the sessions may go on. */
  activeSessions(sessionIds: string[]): Promise<string[]>;
}

/** Ends live streams when their session ends, and when something may have been missed: readers come back and read what is newest. */
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
    // A stream that opened meanwhile was not asked about.
    for (const [stream, session] of open) if (asked.has(session) && !living.has(session)) stream.end();
  };
  // While the database is away nobody can be judged; the next turn does.
  const timer = setInterval(() => void check().catch(() => undefined), sessionCheckMs);
  return {
    /** Watches a stream for as long as it is served. */
    async watch(sessionId: string, stream: EventStream, serve: () => Promise<void>): Promise<void> {
      open.set(stream, sessionId);
      try {
        await serve();
      } finally {
        open.delete(stream);
      }
    },
    /** Open streams. */
    size: () => open.size,
    stop: () => clearInterval(timer),
  };
}
export type SessionStreams = ReturnType<typeof createSessionStreams>;
