import { type LiveEvent, live } from "@herdwise/contract";
import { expireSession } from "../session/expire.ts";
import { renewRefused } from "../session/renew.ts";
import { readSession } from "../session/storage.ts";
import { fetchNoted, reach } from "./reach.ts";
import { addressOf, authorizationHeaders } from "./send.ts";
import { createSseParser } from "./sse-parser.ts";

export type StreamState = "connecting" | "open" | "waiting" | "closed";

export interface StreamOptions<Event> {
  onEvent: (event: Event) => void;
  onState: (state: StreamState) => void;
  /** The connection is back after a gap: what was missed must be loaded anew. */
  onGap: () => void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** The server sends a comment at least this often; a silent socket of a sleeping phone is given up after it. */
const silenceMs = 75_000;

/** Delay before the next attempt: doubling, capped, spread so that a thousand browsers don't come back at once. */
export function backOffMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return ceiling / 2 + (random() * ceiling) / 2;
}

/** Follows the live values of devices. Returns its end. */
export const liveStream = (ids: readonly string[], options: StreamOptions<LiveEvent>): (() => void) =>
  followStream<LiveEvent>(addressOf(live, { ids: ids.join(",") }), options);

/** Follows an event stream (fetch, not EventSource: the token travels in a header) and comes back when it breaks. Returns its end. */
export function followStream<Event>(address: string, { onEvent, onState, onGap }: StreamOptions<Event>): () => void {
  const end = new AbortController();
  let attempt = 0;
  let opened = false;
  let wake: (() => void) | undefined;
  const parse = (payload: string): void => onEvent(JSON.parse(payload) as Event);

  const follow = async (): Promise<void> => {
    const silence = new AbortController();
    // A dead network leaves the socket open until somebody writes to it.
    const unsubscribe = reach.subscribe(() => reach.lostAtMs() !== undefined && silence.abort());
    let watchdog = setTimeout(() => silence.abort(), silenceMs);
    const token = readSession()?.token;
    try {
      const answer = await fetchNoted(address, {
        headers: { ...authorizationHeaders(), Accept: "text/event-stream" },
        signal: AbortSignal.any([end.signal, silence.signal]),
      });
      if (answer.status === 401 && token) {
        // With fresh tokens, or without an answer, the loop below comes back.
        if ((await renewRefused(token)) === "refused" && readSession()?.token === token) expireSession();
        return;
      }
      if (!answer.ok || !answer.body) return;
      onState("open");
      if (opened) onGap();
      opened = true;
      attempt = 0;
      const feed = createSseParser(parse);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => silence.abort(), silenceMs);
        feed(part.value);
      }
    } catch {
      // A broken connection is the normal case on a farm; the loop below comes back.
    } finally {
      unsubscribe();
      clearTimeout(watchdog);
    }
  };

  const run = async (): Promise<void> => {
    while (!end.signal.aborted && readSession()) {
      onState("connecting");
      await follow();
      if (end.signal.aborted) break;
      onState("waiting");
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, backOffMs(attempt));
      });
      attempt += 1;
    }
    onState("closed");
  };
  // The server is heard again: no reason to sit out the delay.
  const unsubscribe = reach.subscribe(() => reach.lostAtMs() === undefined && wake?.());
  void run();
  return () => {
    end.abort();
    wake?.();
    unsubscribe();
  };
}
