import type { Store } from "../store.ts";
import {
  type PaymentProvider,
  type PayNotice,
  type PayStanding,
  payNoticePath,
  paySignature,
  readNotice,
  type SignedNotice,
} from "./payment.ts";

/** How the pretended customer and provider behave; chosen on the sandbox's page. */
export const sandboxWays = ["paid", "twice", "silent", "late", "never", "failed", "less", "unsigned"] as const;
export type SandboxWay = (typeof sandboxWays)[number];

interface Held {
  amountFen: number;
  subject: string;
  returnUrl: string;
  expiresMs: number;
  way?: SandboxWay;
}

/** How long the sandbox remembers an order, s. */
const keptS = 4 * 86_400;

export interface SandboxPayment extends PaymentProvider {
  /** An order that was handed over. */
  held(id: string): Promise<Held | undefined>;
  /** Lets the pretended customer act. @returns the notices that the pretended provider sends, in order */
  choose(id: string, way: SandboxWay): Promise<SignedNotice[]>;
}

/** No provider: what becomes of an order is chosen on the page `/dev/pay/<id>`, and nothing is really paid. */
export function sandboxPayment(store: Store, secret: string, now: () => number): SandboxPayment {
  const keyOf = (id: string): string => `pay:sandbox:${id}`;
  const held = async (id: string): Promise<Held | undefined> => {
    const text = await store.get(keyOf(id));
    return text === undefined ? undefined : (JSON.parse(text) as Held);
  };
  const referenceOf = (id: string): string => `SB${id.slice(-12)}`;
  const signed = (notice: PayNotice, isSigned = true): SignedNotice => {
    const [timestamp, body] = [String(now()), JSON.stringify(notice)];
    return {
      timestamp,
      body,
      signature: paySignature(isSigned ? secret : "somebody else", "POST", payNoticePath, timestamp, body),
    };
  };
  return {
    channel: "sandbox",
    held,
    async open({ id, amountFen, subject, returnUrl, expiresAt }) {
      const order: Held = { amountFen, subject, returnUrl, expiresMs: expiresAt.getTime() };
      await store.add(keyOf(id), JSON.stringify(order), keptS);
      return { payUrl: `/dev/pay/${id}` };
    },
    async standing({ id }): Promise<PayStanding> {
      const order = await held(id);
      if (order === undefined) return { state: "unknown" };
      const paid = { state: "paid", reference: referenceOf(id), amountFen: order.amountFen } as const;
      switch (order.way) {
        case undefined:
        case "never":
          return { state: "waiting" };
        case "failed":
          return { state: "failed" };
        // Paid in time, known when nobody waits any more.
        case "late":
          return now() > order.expiresMs + 60_000 ? paid : { state: "waiting" };
        case "less":
          return { ...paid, amountFen: order.amountFen - 1 };
        default:
          return paid;
      }
    },
    async choose(id, way) {
      const order = await held(id);
      if (order === undefined) return [];
      await store.set(keyOf(id), JSON.stringify({ ...order, way }), keptS);
      const paid: PayNotice = { id, outcome: "paid", reference: referenceOf(id), amountFen: order.amountFen };
      switch (way) {
        case "paid":
          return [signed(paid)];
        case "twice":
          return [signed(paid), signed(paid)];
        case "less":
          return [signed({ ...paid, amountFen: order.amountFen - 1 })];
        case "failed":
          return [signed({ ...paid, outcome: "failed", reference: "", amountFen: 0 })];
        case "unsigned":
          return [signed(paid, false)];
        default:
          return [];
      }
    },
    read: (notice) => readNotice(secret, notice, now()),
  };
}
