import { createHmac, timingSafeEqual } from "node:crypto";

/** What is to be paid. */
interface PayOrder {
  /** Names it: the same one again is the same order. */
  id: string;
  /** fen */
  amountFen: number;
  /** What the customer reads at the provider. */
  subject: string;
  /** Where the customer comes back to. */
  returnUrl: string;
  /** Until then it can be paid. */
  expiresAt: Date;
}

/** Where an order is, as the provider says. */
export type PayStanding =
  | { state: "unknown" }
  | { state: "waiting" }
  | { state: "paid"; reference: string; amountFen: number }
  | { state: "failed" };

/** What the provider tells of an order by itself. */
export interface PayNotice {
  id: string;
  outcome: "paid" | "failed";
  /** Names the payment at the provider: another one is another payment. */
  reference: string;
  amountFen: number;
}

/** A call of the provider, as it came. */
export interface SignedNotice {
  timestamp: string;
  signature: string;
  body: string;
}

/** A payment provider, or what stands in for one. */
export interface PaymentProvider {
  readonly channel: "gateway" | "sandbox";
  /**
   * Hands an order over. Once, however often it is called with the same id.
   * @returns where the customer pays
   * @throws {PaymentFault} when the provider can't be asked; whether it took the order is not known then
   */
  open(order: PayOrder): Promise<{ payUrl: string }>;
  /** @throws {PaymentFault} when the provider can't be asked */
  standing(order: { id: string }): Promise<PayStanding>;
  /** Reads a notice; undefined for what the provider did not sign, and for what is none. */
  read(notice: SignedNotice): PayNotice | undefined;
}

/** The provider could not be asked. */
export class PaymentFault extends Error {
  override readonly name = "PaymentFault";
}

/** Where notices come in. */
export const payNoticePath = "/pay/notice";
/** A call that is older is not taken, ms. */
const oldestMs = 300_000;

/** Signature of a call: hex HMAC-SHA256 of method, path, timestamp and body, each on a line. */
export const paySignature = (secret: string, method: string, path: string, timestamp: string, body: string): string =>
  createHmac("sha256", secret).update([method, path, timestamp, body].join("\n")).digest("hex");

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads a notice that was signed with a secret. @param nowMs a notice of another time is not taken */
export function readNotice(secret: string, { timestamp, signature, body }: SignedNotice, nowMs: number) {
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp)) > oldestMs) return undefined;
  const expected = Buffer.from(paySignature(secret, "POST", payNoticePath, timestamp, body), "hex");
  const given = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, "hex") : Buffer.alloc(32);
  if (!timingSafeEqual(expected, given)) return undefined;
  return noticeOf(body);
}

function noticeOf(body: string): PayNotice | undefined {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof said !== "object" || said === null) return undefined;
  const { id, outcome, reference, amountFen } = said as Record<string, unknown>;
  if (typeof id !== "string" || !/^\d{1,19}$/.test(id) || (outcome !== "paid" && outcome !== "failed"))
    return undefined;
  if (typeof reference !== "string" || reference.length > 40 || !isAmount(amountFen)) return undefined;
  // A payment has a name and an amount; without them it could not be told from another one.
  if (outcome === "paid" && (reference === "" || amountFen === 0)) return undefined;
  return { id, outcome, reference, amountFen };
}
