import { quietUntil } from "../messages/index.ts";

/** Seconds for which a claimed notice is reserved; if the server ends meanwhile, another one sends it afterwards. */
export const leaseS = 60;
/** Seconds between two messages to one person by one channel, so that many alarms need only a few messages. */
export const restS = 20;

/** What decides whether a notice is sent. */
export interface FatedNotice {
  severity: number;
  /** Quiet hours in minutes of the day, Asia/Shanghai; both the same for none. */
  quietFrom: number;
  quietTo: number;
  /** Somebody knows of the alarm, so it does not ask. */
  known: boolean;
  ended: boolean;
  raisedAt: Date;
}

/** It is sent now, is needed no more because somebody knows of the alarm or it ended, or waits for the end of quiet hours, ms since 1970. */
export type NoticeFate = "send" | "known" | "ended" | { readonly until: number };

/** What becomes of a notice that is due. */
export function fateOf(notice: FatedNotice, atMs: number): NoticeFate {
  // Somebody knows of the alarm; when it asks again, it is told again.
  if (notice.known) return "known";
  // An alarm that ended before its notice could be sent is only in the log.
  if (notice.ended && atMs - notice.raisedAt.getTime() > leaseS * 1000) return "ended";
  const until = notice.severity === 4 ? undefined : quietUntil(atMs, notice.quietFrom, notice.quietTo);
  return until === undefined ? "send" : { until };
}

/** A notice that would have been written, with what became of its alarm. */
export interface PastNotice extends Omit<FatedNotice, "known" | "ended"> {
  /** ms since 1970 */
  dueMs: number;
  endedMs: number | null;
  /** Times in which somebody knew of the alarm, ms since 1970. */
  knownTimes: readonly (readonly [fromMs: number, toMs: number])[];
}

export interface Told<Notice> {
  atMs: number;
  notices: Notice[];
}

/**
 * What would have become of the notices of one person and channel: those that are due together are told together, and none within `restS` after
 * the last.
 */
export function foretell<Notice extends PastNotice>(
  notices: readonly Notice[],
  nowMs: number,
): { told: Told<Notice>[]; dropped: { notice: Notice; atMs: number; why: "known" | "ended" }[] } {
  const told: Told<Notice>[] = [];
  const dropped: { notice: Notice; atMs: number; why: "known" | "ended" }[] = [];
  const waiting = notices.map((notice) => ({ notice, dueMs: notice.dueMs }));
  while (waiting.length > 0) {
    const earliest = waiting.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY);
    const restedMs = (told.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) + restS * 1000;
    const atMs = Math.max(earliest, restedMs);
    if (atMs > nowMs) break;
    const due = waiting.filter(({ dueMs }) => dueMs <= atMs);
    const current: Notice[] = [];
    for (const one of due) {
      const { notice } = one;
      const ended = notice.endedMs !== null && notice.endedMs <= atMs;
      const known = notice.knownTimes.some(([from, to]) => from <= atMs && atMs < to);
      const fate = fateOf({ ...notice, known, ended }, atMs);
      if (typeof fate === "object") one.dueMs = fate.until;
      else {
        waiting.splice(waiting.indexOf(one), 1);
        if (fate === "send") current.push(notice);
        else dropped.push({ notice, atMs, why: fate });
      }
    }
    if (current.length > 0) told.push({ atMs, notices: current });
  }
  return { told, dropped };
}
