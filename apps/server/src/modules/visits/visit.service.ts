import type { Visit } from "@herdwise/contract";
import type { Store } from "../../providers/store.ts";
import type { VisitCount, VisitRepository } from "./visit.repository.ts";

/** Batches that one address may send in a minute; more are dropped silently, as the sender does not wait for an answer. */
const batchesPerMinute = 120;

/** A path without query, fragment and ids: what is counted must not tell about a person. */
export const countedPath = (path: string): string =>
  (path.split(/[?#]/, 1)[0] ?? "").replace(/\d{6,}/g, ":id").slice(0, 300) || "/";

/** The host alone: addresses of other sites may hold anything. */
export function countedReferrer(referrer: string | undefined): string {
  if (referrer === undefined || !URL.canParse(referrer)) return "";
  return new URL(referrer).host.slice(0, 100);
}

export function createVisitService(repository: VisitRepository, store: Store) {
  return {
    async record(visits: readonly Visit[], address: string): Promise<void> {
      if ((await store.count(`visits:${address}`, 60)) > batchesPerMinute) return;
      const counts = new Map<string, VisitCount>();
      for (const { routeName, path, referrer, language, dwellMs } of visits) {
        const row = { routeName, path: countedPath(path), language, referrer: countedReferrer(referrer) };
        const key = JSON.stringify(row);
        const held = counts.get(key) ?? { ...row, visits: 0, dwellMs: 0 };
        counts.set(key, { ...held, visits: held.visits + 1, dwellMs: held.dwellMs + dwellMs });
      }
      // In one order, so that two batches at once never wait for each other in a circle.
      await repository.add([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count));
    },
  };
}
export type VisitService = ReturnType<typeof createVisitService>;
