import type { Bus } from "../providers/bus.ts";
import type { EventStream } from "./event-stream.ts";
import { reachText, type SessionReach } from "./session.ts";

/** Streams of a session that ended, or that reaches other rows by now, are closed within this many ms. */
const sessionCheckMs = 3000;

export interface SessionCheckDependencies {
  bus: Bus;
  /** Those of the sessions that are still active, each with a version that is another one as soon as it reaches something else. */
  versionsOfSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of the sessions that are still active, each with its `reachText` as it is now. */
  reachOfSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface OpenStream {
  readonly id: string;
  /** What the session reached when it was admitted. */
  readonly reach: string;
  /** Stands for that reach; undefined until the first check after the opening. */
  version?: string;
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
 * Ends live streams when their session ends, when its roles grant other rows than at its opening, and when messages may have been lost;
 * clients then reconnect, are admitted anew and read the newest state. There is one for all streams of a server: each turn asks
 * once for the versions of all sessions, and once more for those whose streams are new.
 */
export function createSessionCheck({ bus, versionsOfSessions, reachOfSessions }: SessionCheckDependencies) {
  const open = new Map<EventStream, OpenStream>();
  bus.subscribe("sessionEnded", ({ sessionId }) => {
    for (const [stream, { id }] of open) if (id === sessionId) stream.end();
  });
  bus.onGap(() => {
    for (const stream of open.keys()) stream.end();
  });
  const idsOf = (streams: readonly (readonly [EventStream, OpenStream])[]): string[] => [
    ...new Set(streams.map(([, { id }]) => id)),
  ];
  const check = async () => {
    if (open.size === 0) return;
    // A stream that is opened meanwhile is not part of the check.
    const asked = [...open];
    const versions = await versionsOfSessions(idsOf(asked));
    const fresh = asked.filter(([, { version }]) => version === undefined);
    // Read after the versions: a change between the two is seen by the next turn, as the version is the earlier one.
    const reaches = fresh.length === 0 ? undefined : await reachOfSessions(idsOf(fresh));
    for (const [stream, of] of asked) {
      const version = versions.get(of.id);
      const stays = of.version === undefined ? reaches?.get(of.id) === of.reach : of.version === version;
      if (version === undefined || !stays) stream.end();
      else of.version = version;
    }
  };
  let checking = false;
  const turn = async (): Promise<void> => {
    if (checking) return;
    checking = true;
    // While the database is unavailable no session can be checked; the next turn checks again.
    await check().catch(() => undefined);
    checking = false;
  };
  const timer = setInterval(() => void turn(), sessionCheckMs);
  return {
    /** Watches a stream while it runs. */
    async watch(session: SessionReach, stream: EventStream, serve: () => Promise<void>): Promise<void> {
      open.set(stream, { id: session.id, reach: reachText(session) });
      try {
        await serve();
      } finally {
        open.delete(stream);
      }
    },
    stop: () => clearInterval(timer),
  };
}
export type SessionCheck = ReturnType<typeof createSessionCheck>;

/** The streams of one kind, which the server's check watches. */
export function createSessionStreams({ watch }: Pick<SessionCheck, "watch">) {
  let size = 0;
  return {
    /** Watches a stream while it runs. */
    async watch(session: SessionReach, stream: EventStream, serve: () => Promise<void>): Promise<void> {
      size += 1;
      try {
        await watch(session, stream, serve);
      } finally {
        size -= 1;
      }
    },
    /** Number of open streams. */
    size: () => size,
  };
}
export type SessionStreams = ReturnType<typeof createSessionStreams>;
