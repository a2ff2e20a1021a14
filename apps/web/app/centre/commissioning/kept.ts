import type { Commissioning, CommissioningAct } from "@herdwise/contract";
import { draftPrefix } from "../../shared/session/storage.ts";

/** What waits is typed work: a session that ends leaves it for the same person, a log-out does not. */
const queuePrefix = `${draftPrefix}commissioning_`;
const listPrefix = "commissioning_list_";
/** What nobody came back to send, days. */
const mostDays = 7;
const dayMs = 86_400_000;

/** An act that waits for the network, and of which list. */
export interface QueuedAct extends CommissioningAct {
  listId: string;
}

const read = <Value>(key: string): Value | undefined => {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
};
const write = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full phone works on while it has a network; it can't keep anything.
  }
};

/** What a phone keeps for one account in one tenant: acts that wait, and the list that was open last. */
export function keptFor(owner: string) {
  return {
    queue: (nowMs: number): QueuedAct[] =>
      (read<QueuedAct[]>(queuePrefix + owner) ?? []).filter(({ atMs }) => nowMs - atMs < mostDays * dayMs),
    keepQueue(queue: readonly QueuedAct[]): void {
      if (queue.length === 0) localStorage.removeItem(queuePrefix + owner);
      else write(queuePrefix + owner, queue);
    },
    list(id: string): Commissioning | undefined {
      const kept = read<Commissioning>(listPrefix + owner);
      return kept?.id === id ? kept : undefined;
    },
    keepList: (list: Commissioning): void => write(listPrefix + owner, list),
  };
}
