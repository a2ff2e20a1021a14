import { type Visit, visitSorts } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { addressBucket } from "../../providers/address.ts";
import type { Store } from "../../providers/store.ts";
import type { VisitCount, VisitRepository } from "./visit.repository.ts";

/** Batches that one address may send in a minute; more are dropped silently, as the sender does not wait for an answer. */
const batchesPerMinute = 120;

/** A path without query, fragment and ids: what is counted must not tell about a person. */
const countedPath = (path: string): string =>
  (path.split(/[?#]/, 1)[0] ?? "").replace(/\d{6,}/g, ":id").slice(0, 300) || "/";

/** The host alone: addresses of other sites may hold anything. */
function countedReferrer(referrer: string | undefined): string {
  if (referrer === undefined || !URL.canParse(referrer)) return "";
  return new URL(referrer).host.slice(0, 100);
}

/** Days that one question may span. */
const mostDays = 366;
const mostReferrers = 10;
const mostPages = 300;

/** @throws {Refusal} 400 unless both are days, in order, at most a year apart */
function requireDays(from: string, to: string): void {
  const [begin, end] = [from, to].map((day) => Date.parse(`${day}T00:00:00Z`));
  if (begin === undefined || end === undefined || Number.isNaN(begin) || Number.isNaN(end)) {
    throw refuse("visits.days");
  }
  if (end < begin) throw refuse("visits.order", { field: "end" });
  if ((end - begin) / 86_400_000 >= mostDays) throw refuse("visits.span");
}

export function createVisitService(repository: VisitRepository, store: Store) {
  return {
    /** Visits per page and day. @throws {Refusal} 400 */
    async page(query: Parameters<typeof pageRequest>[0] & { from: string; to: string; keyword?: string | undefined }) {
      requireDays(query.from, query.to);
      const request = pageRequest(query, visitSorts);
      const { rows, total } = await repository.page(query, request);
      return pageOfRows(rows, total, request);
    },

    /** Sums over the days. @throws {Refusal} 400 */
    async sums(from: string, to: string) {
      requireDays(from, to);
      const [days, referrers, languages] = await Promise.all([
        repository.byDay(from, to),
        repository.byReferrer(from, to, mostReferrers),
        repository.byLanguage(from, to),
      ]);
      return { days, referrers, languages };
    },

    /** Visits of each page over the days, and as many before. @throws {Refusal} 400 */
    async pages(from: string, to: string) {
      requireDays(from, to);
      return repository.byPage(from, to, mostPages);
    },

    async record(visits: readonly Visit[], address: string): Promise<void> {
      if ((await store.count(`visits:${addressBucket(address)}`, 60)) > batchesPerMinute) return;
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
