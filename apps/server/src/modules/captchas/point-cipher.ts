import { createCipheriv, createDecipheriv } from "node:crypto";

// ECB and a key that the client holds: AJ-Captcha's protocol, not ours. It hides nothing; the server's secret is X.
const algorithm = "aes-128-ecb";

/** @param key 16 ASCII characters */
export function encryptPoint(key: string, text: string): string {
  const cipher = createCipheriv(algorithm, key, null);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final()]).toString("base64");
}

/** @returns undefined when it was not made with this key */
export function decryptPoint(key: string, encrypted: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, null);
    return Buffer.concat([decipher.update(encrypted, "base64"), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Reads the point of a check. @returns undefined when it is none */
export function readPoint(text: string): { x: number; y: number } | undefined {
  try {
    const point: unknown = JSON.parse(text);
    if (typeof point !== "object" || point === null || !("x" in point) || !("y" in point)) return undefined;
    const { x, y } = point;
    return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
  } catch {
    return undefined;
  }
}
