import { createHmac, timingSafeEqual } from "node:crypto";

/** How long a preview can be read. */
const lifetimeMs = 24 * 60 * 60 * 1000;

/** What a preview shows: a row, and a number that says which state of it. */
export interface Previewed {
  id: string;
  number: number;
}

const form = /^(\d{1,19})\.(\d{1,7})\.(\d{10,14})\.([\w-]{43})$/;

/**
 * Signed addresses under which somebody without an account sees what is not published, until they end by themselves.
 * @param purpose keeps those of one thing from opening another
 */
export function createPreviewLinks(
  secretKey: string,
  purpose: "article previews" | "document previews" | "home previews" | "video previews",
  now: () => number,
) {
  const key = createHmac("sha256", secretKey).update(purpose).digest();
  const sign = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return {
    make({ id, number }: Previewed): { token: string; expiresAt: Date } {
      const expiresAt = new Date(now() + lifetimeMs);
      const signed = `${id}.${number}.${expiresAt.getTime()}`;
      return { token: `${signed}.${sign(signed).toString("base64url")}`, expiresAt };
    },
    /** @returns undefined for a forged, changed or ended one */
    read(token: string): Previewed | undefined {
      const [, id = "", number = "", until = "", signature = ""] = form.exec(token) ?? [];
      if (signature === "") return undefined;
      const given = Buffer.from(signature, "base64url");
      const right = sign(`${id}.${number}.${until}`);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return Number(until) > now() ? { id, number: Number(number) } : undefined;
    },
  };
}
export type PreviewLinks = ReturnType<typeof createPreviewLinks>;
