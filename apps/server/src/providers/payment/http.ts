import { callService } from "../outside-service.ts";
import {
  PaymentFault,
  type PaymentProvider,
  type PayStanding,
  payNoticePath,
  paySignature,
  readNotice,
} from "./payment.ts";

interface HttpPaymentOptions {
  /** Address of the gateway, without a slash at the end. */
  url: string;
  /** Shared secret that signs each request and each notice. */
  secret: string;
  /** Address of the portal, to which the gateway sends its notices. */
  portal: string;
  now: () => number;
}

/** Reads what the gateway says; what it should not say is a fault, never a payment. */
function standingOf({ state, reference, amountFen }: Record<string, unknown>): PayStanding {
  if (state === "waiting" || state === "failed") return { state };
  const isPaid = state === "paid" && typeof reference === "string" && reference !== "" && reference.length <= 40;
  if (isPaid && Number.isSafeInteger(amountFen) && Number(amountFen) > 0)
    return { state: "paid", reference, amountFen: Number(amountFen) };
  throw new PaymentFault("the gateway answered with an unknown state");
}

/**
 * A payment gateway over HTTP (docs/operations/payment.md): `POST /orders` takes an order once by its id and answers where it is
 * paid, `GET /orders/<id>` says where it is. Requests carry `X-Timestamp` (ms) and `X-Signature`.
 */
export function httpPayment({ url, secret, portal, now }: HttpPaymentOptions): PaymentProvider {
  const ask = async (method: "GET" | "POST", path: string, body = ""): Promise<Record<string, unknown> | undefined> => {
    const timestamp = String(now());
    const address = new URL(`${url}${path}`);
    const { status, text } = await callService(address.href, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== "" && { "Content-Type": "application/json" }),
        "X-Timestamp": timestamp,
        "X-Signature": paySignature(secret, method, address.pathname, timestamp, body),
      },
      ...(body !== "" && { body }),
    }).catch((error: unknown) => {
      throw new PaymentFault(`the gateway does not answer: ${error instanceof Error ? error.name : "unknown"}`);
    });
    if (status === 404 && method === "GET") return undefined;
    if (status !== 200) throw new PaymentFault(`the gateway answered ${status}`);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new PaymentFault("the gateway answered without JSON");
    }
    if (typeof answer !== "object" || answer === null) throw new PaymentFault("the gateway answered without an object");
    return answer as Record<string, unknown>;
  };
  return {
    channel: "gateway",
    async open({ id, amountFen, subject, returnUrl, expiresAt }) {
      const order = { id, amountFen, subject, returnUrl, expiresAt: expiresAt.toISOString() };
      const answer = await ask("POST", "/orders", JSON.stringify({ ...order, noticeUrl: `${portal}${payNoticePath}` }));
      const payUrl = typeof answer?.payUrl === "string" ? answer.payUrl.slice(0, 2000) : "";
      if (!URL.canParse(payUrl) || !/^https?:$/.test(new URL(payUrl).protocol))
        throw new PaymentFault("the gateway answered without an address");
      return { payUrl };
    },
    async standing({ id }) {
      const answer = await ask("GET", `/orders/${encodeURIComponent(id)}`);
      return answer === undefined ? { state: "unknown" } : standingOf(answer);
    },
    read: (notice) => readNotice(secret, notice, now()),
  };
}
