import { createHmac } from "node:crypto";
import { remittanceFailures } from "@herdwise/contract";
import { callService } from "../outside-service.ts";
import { RemittanceFault, type RemittanceProvider, type RemittanceStanding } from "./remittance.ts";

interface HttpRemittanceOptions {
  /** Address of the bank's gateway, without a slash at the end. */
  url: string;
  /** Shared secret that signs each request. */
  secret: string;
  now: () => number;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 64) : "");

/** Reads what the gateway says; what it should not say is a refusal, never an arrival. */
function standingOf(answer: Record<string, unknown>): RemittanceStanding {
  const reference = textOf(answer.reference);
  switch (answer.state) {
    case "sent":
      return { state: "sent", reference };
    case "arrived":
      return {
        state: "arrived",
        reference,
        arrivals: Math.max(1, Math.min(99, Math.trunc(Number(answer.arrivals)) || 1)),
      };
    case "failed": {
      const known = remittanceFailures.find((failure) => failure === answer.failure);
      return { state: "failed", reference, failure: known === undefined || known === "tries" ? "refused" : known };
    }
    default:
      throw new RemittanceFault("the gateway answered with an unknown state");
  }
}

/**
 * A bank's gateway over HTTP (docs/operations/remittance.md): `POST /remittances` takes an order once by its id,
 * `GET /remittances/<id>` says where it is. Requests carry `X-Timestamp` (ms) and `X-Signature`, the hex HMAC-SHA256 of
 * method, path, timestamp and body, each on a line.
 */
export function httpRemittance({ url, secret, now }: HttpRemittanceOptions): RemittanceProvider {
  const ask = async (method: "GET" | "POST", path: string, body = ""): Promise<RemittanceStanding> => {
    const timestamp = String(now());
    const address = new URL(`${url}${path}`);
    const signature = createHmac("sha256", secret)
      .update([method, address.pathname, timestamp, body].join("\n"))
      .digest("hex");
    const { status, text } = await callService(address.href, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== "" && { "Content-Type": "application/json" }),
        "X-Timestamp": timestamp,
        "X-Signature": signature,
      },
      ...(body !== "" && { body }),
    }).catch((error: unknown) => {
      throw new RemittanceFault(`the gateway does not answer: ${error instanceof Error ? error.name : "unknown"}`);
    });
    if (status === 404 && method === "GET") return { state: "unknown" };
    // The gateway understood, and refuses this order for good.
    if (status === 422) return { state: "failed", reference: "", failure: "refused" };
    if (status !== 200) throw new RemittanceFault(`the gateway answered ${status}`);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new RemittanceFault("the gateway answered without JSON");
    }
    if (typeof answer !== "object" || answer === null)
      throw new RemittanceFault("the gateway answered without an object");
    return standingOf(answer as Record<string, unknown>);
  };
  return {
    sandbox: false,
    send: (order) => ask("POST", "/remittances", JSON.stringify(order)),
    standing: ({ id }) => ask("GET", `/remittances/${encodeURIComponent(id)}`),
  };
}
