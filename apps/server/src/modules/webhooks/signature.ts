import { createHmac, randomBytes } from "node:crypto";

/** Begins every secret, as Standard Webhooks has it. */
const secretPrefix = "whsec_";

export const newSecret = (): string => secretPrefix + randomBytes(32).toString("base64");

/**
 * Headers that sign a message by the convention of Standard Webhooks: HMAC-SHA256 over id, time and body.
 * @param atS seconds since 1970
 */
export function signedHeaders(secret: string, id: string, atS: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${atS}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(atS), "webhook-signature": `v1,${signature}` };
}
