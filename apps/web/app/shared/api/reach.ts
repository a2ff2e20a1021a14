import { accessVersionHeader } from "@herdwise/contract";
import { noteAccessVersion } from "../session/access-changes.ts";

/** Since when no answer has come, as epoch milliseconds; undefined while the server is heard. */
let lostAtMs: number | undefined;
const listeners = new Set<() => void>();

/** Whether the server answers, as the newest request saw it. */
export const reach = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  lostAtMs: (): number | undefined => lostAtMs,
};

/** What a proxy answers in place of a server that it can't reach. */
const fromProxy: ReadonlySet<number> = new Set([502, 504]);

/** Notes whether an answer came; without one the network is gone, or the server is. */
export function noteReach(heard: boolean): void {
  if (heard === (lostAtMs === undefined)) return;
  lostAtMs = heard ? undefined : Date.now();
  for (const listener of listeners) listener();
}

/**
 * `fetch` that notes whether the server answered. What the caller gave up says nothing about it.
 * @param ahead the same request where it was sent already
 */
export async function fetchNoted(address: string, init: RequestInit, ahead?: Promise<Response>): Promise<Response> {
  try {
    const answer = await (ahead ?? fetch(address, init));
    noteReach(!fromProxy.has(answer.status));
    noteAccessVersion(answer.headers.get(accessVersionHeader));
    return answer;
  } catch (reason) {
    if (!init.signal?.aborted) noteReach(false);
    throw reason;
  }
}
