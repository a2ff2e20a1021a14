import { shownStatement } from "./statement-traces.ts";

/** What one statement cost this server since it began to count; values are no part of the text. */
export interface StatementFigure {
  readonly text: string;
  readonly calls: number;
  /** Calls that the database refused or did not answer. */
  readonly faults: number;
  readonly totalMs: number;
  readonly maxMs: number;
  /** When the slowest call ended, ms since 1970. */
  readonly maxAtMs: number;
  /** Bound below which 95 of 100 calls stayed, ms: the edge of a bucket, 41 % apart, and never beyond `maxMs`. */
  readonly p95Ms: number;
}

interface Held {
  calls: number;
  faults: number;
  totalMs: number;
  maxMs: number;
  maxAtMs: number;
  buckets: Uint32Array;
}

/** Buckets begin at a tenth of a millisecond and grow by the square root of two, up to half an hour. */
const firstMs = 0.1;
const bucketCount = 48;
const edgeOf = (bucket: number): number => firstMs * 2 ** (bucket / 2);
const bucketOf = (ms: number): number =>
  ms <= firstMs ? 0 : Math.min(bucketCount - 1, Math.ceil(2 * Math.log2(ms / firstMs)));

/** One text for lists of any length: they differ by how many values somebody chose. */
const withoutLengths = (text: string): string =>
  text
    .replaceAll(/\$\d+(?:\s*,\s*\$\d+)+/g, "$…")
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/(\(\$…?\))(?:\s*,\s*\(\$…?\))+/g, "$1, …");

/**
 * Counts the statements of a server by their text.
 * @param now ms since 1970
 * @param most texts that are kept apart; statements beyond them are counted together under an empty text
 */
export function createStatementFigures(now: () => number, most = 1000) {
  const sinceMs = now();
  const held = new Map<string, Held>();
  /** What a text as sent is shown as; reading it again for each call would cost more than a quick statement. */
  const shown = new Map<string, string>();

  const shownOf = (text: string): string => {
    let known = shown.get(text);
    if (known === undefined) {
      if (shown.size >= 4 * most) shown.clear();
      known = withoutLengths(shownStatement(text));
      shown.set(text, known);
    }
    return known;
  };
  const heldOf = (text: string): Held => {
    const own = shownOf(text);
    const key = held.has(own) || held.size < most ? own : "";
    let figure = held.get(key);
    if (figure === undefined) {
      figure = { calls: 0, faults: 0, totalMs: 0, maxMs: 0, maxAtMs: sinceMs, buckets: new Uint32Array(bucketCount) };
      held.set(key, figure);
    }
    return figure;
  };
  const p95Of = ({ buckets, calls, maxMs }: Held): number => {
    let below = 0;
    for (const [bucket, count] of buckets.entries()) {
      below += count;
      if (below >= 0.95 * calls) return Math.min(edgeOf(bucket), maxMs);
    }
    return maxMs;
  };

  return {
    sinceMs,
    /** Counts a call. @param took ms from sending until the answer */
    add(text: string, took: number, failed: boolean): void {
      const figure = heldOf(text);
      figure.calls += 1;
      if (failed) figure.faults += 1;
      figure.totalMs += took;
      const bucket = bucketOf(took);
      figure.buckets[bucket] = (figure.buckets[bucket] ?? 0) + 1;
      if (took > figure.maxMs) {
        figure.maxMs = took;
        figure.maxAtMs = now();
      }
    },
    /** All statements, in the order in which they were first seen. */
    read: (): StatementFigure[] =>
      [...held].map(([text, figure]) => {
        const { calls, faults, totalMs, maxMs, maxAtMs } = figure;
        return { text, calls, faults, totalMs, maxMs, maxAtMs, p95Ms: p95Of(figure) };
      }),
  };
}
export type StatementFigures = ReturnType<typeof createStatementFigures>;
