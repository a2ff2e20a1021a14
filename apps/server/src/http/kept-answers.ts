import { createHash } from "node:crypto";
import type { KeptPage } from "./kept-pages.ts";

/** Kept answers of an operation; each is some ten kB. The one that was asked for longest ago gives way. */
const mostKept = 256;

/**
 * Answers of an operation that are the same to everybody with the same key, kept as the bytes that are sent. Requests that come while one is
 * made wait for it; one that fails is not kept.
 * @param vary header that the key is made from
 */
export function createKeptAnswers(vary: string) {
  const kept = new Map<string, Promise<KeptPage>>();
  return async (key: string, make: () => Promise<unknown>): Promise<KeptPage> => {
    const held = kept.get(key);
    const answer =
      held ??
      make().then((value) => {
        const body = Buffer.from(JSON.stringify(value));
        const tag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
        return {
          status: 200,
          headers: {
            "content-type": "application/json; charset=utf-8",
            // A browser asks each time whether it is still the same.
            "cache-control": "private, no-cache",
            vary: `Accept-Encoding, ${vary}`,
            etag: tag,
          },
          tag,
          body,
          packed: new Map(),
        };
      });
    kept.delete(key);
    kept.set(key, answer);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    if (held === undefined)
      answer.catch(() => {
        if (kept.get(key) === answer) kept.delete(key);
      });
    return answer;
  };
}
