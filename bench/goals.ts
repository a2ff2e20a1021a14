import { appendFileSync } from "node:fs";

/** A goal of performance as a bench measured it. */
export interface Goal {
  /** What was measured, with the size it was measured at. */
  readonly name: string;
  readonly measured: number;
  /** `ms`, `MB`, `a second`, or "" for a ratio. */
  readonly unit: string;
  /** The bound that must hold; the others only tell. */
  readonly limit?: number;
  /** Which side of the limit is good; `most` unless told otherwise. */
  readonly side?: "most" | "least";
  /** What the same run reached at best, in the same unit: the part of the work that nothing can take away. */
  readonly ceiling?: { readonly what: string; readonly measured: number };
}

export const holds = ({ measured, limit, side = "most" }: Goal): boolean =>
  limit === undefined || (side === "most" ? measured <= limit : measured >= limit);

/** Tells a goal to `npm run bench:all`, which names a file in HERDWISE_BENCH_GOALS; a bench that runs alone writes nothing. */
export function goal(told: Goal): void {
  const file = process.env.HERDWISE_BENCH_GOALS;
  if (file) appendFileSync(file, `${JSON.stringify(told)}\n`);
}
