import { smsLimits } from "@herdwise/contract";

/** A code that was sent from this page: survives a reload, so that nobody waits or pays for a second one. */
export interface SentCode {
  phone: string;
  /** Goes back with the digits. */
  id: string;
  sentAtMs: number;
}

/** Begins the keys; the session's storage leaves what begins so alone when it is cleared. */
const smsKeyPrefix = "sms_";

type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The code sent last for a purpose, while it may still be entered. */
export function readSentCode(purpose: string, nowMs: number, memory: Memory = sessionStorage): SentCode | undefined {
  try {
    const sent = JSON.parse(memory.getItem(smsKeyPrefix + purpose) ?? "null") as SentCode | null;
    if (!sent || nowMs - sent.sentAtMs >= smsLimits.lifetimeS * 1000) return undefined;
    return sent;
  } catch {
    return undefined;
  }
}

export function rememberSentCode(purpose: string, sent: SentCode, memory: Memory = sessionStorage): void {
  memory.setItem(smsKeyPrefix + purpose, JSON.stringify(sent));
}

/** The code was used up. */
export function forgetSentCode(purpose: string, memory: Memory = sessionStorage): void {
  memory.removeItem(smsKeyPrefix + purpose);
}

/** Whole seconds until another code may be sent; 0 when it may. A clock that was set back does not make it longer. */
export function secondsUntilResend(sentAtMs: number | undefined, nowMs: number): number {
  if (sentAtMs === undefined) return 0;
  const left = Math.ceil((sentAtMs + smsLimits.resendS * 1000 - nowMs) / 1000);
  return Math.min(smsLimits.resendS, Math.max(0, left));
}
