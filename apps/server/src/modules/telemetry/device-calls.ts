import type { KnownDevice } from "../devices/index.ts";
import { messageLimits } from "./telemetry.parse.ts";

/** Most unacknowledged QoS 1 messages of a device. */
const messagesInFlight = 1000;

export interface CallContext {
  now: () => number;
  /** Messages per second that one device may send over time. */
  messagesPerS: number;
}

/**
 * Answers a client-side RPC call of a device: `getCurrentTime` in ms since 1970, and `getSessionLimits`, which client libraries
 * use to pace themselves; `"3000:1"` means 3,000 messages in 1 s.
 * Any other method is answered with an error.
 */
export function answerCall(
  { method }: Readonly<Record<string, unknown>>,
  { now, messagesPerS }: CallContext,
  { isGateway }: Pick<KnownDevice, "isGateway">,
): unknown {
  const rates = { messages: `${messagesPerS}:1`, telemetryMessages: `${messagesPerS}:1` };
  switch (method) {
    case "getCurrentTime":
      return now();
    case "getSessionLimits":
      return {
        maxPayloadSize: messageLimits.bytes,
        maxInflightMessages: messagesInFlight,
        rateLimits: rates,
        ...(isGateway && { gatewayRateLimits: rates }),
      };
    default:
      return { error: `unknown method: ${String(method).slice(0, 64)}` };
  }
}
