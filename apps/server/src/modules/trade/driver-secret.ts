import { createHash, createHmac } from "node:crypto";

/**
 * The secret of a driver's link, worked out anew from its id, so that people may show it again; the database alone does not have it.
 * @param secretKey of the server
 */
export const driverSecret = (secretKey: string, linkId: string): string =>
  createHmac("sha256", secretKey).update(`driver link ${linkId}`).digest().subarray(0, 24).toString("base64url");

/** What the database holds of a secret. */
export const driverTokenHash = (secret: string): Buffer => createHash("sha256").update(secret).digest();
