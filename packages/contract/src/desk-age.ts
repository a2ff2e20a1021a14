import type { Desk } from "./group-start.ts";

/** How urgent the oldest of a desk is: late, past six tenths of the time that was promised, or not yet. */
export function deskAge(
  { oldestMs, dueMs, lateSinceMs }: Pick<Desk, "oldestMs" | "dueMs" | "lateSinceMs">,
  nowMs: number,
): { tone: "major" | "minor" | "ok"; share: number } {
  if (lateSinceMs !== undefined) return { tone: "major", share: 1 };
  if (oldestMs === undefined || dueMs === undefined) return { tone: "ok", share: 0 };
  const share = Math.min(1, Math.max(0.04, (nowMs - oldestMs) / Math.max(1, dueMs - oldestMs)));
  return { tone: share > 0.6 ? "minor" : "ok", share };
}
