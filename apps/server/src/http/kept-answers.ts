import { createHash } from "node:crypto";
import type { KeptPage } from "./kept-pages.ts";

/** Most cached answers of an operation, each some ten kB; the least recently used is dropped. */
const mostKept = 256;

/**
 * Cache for answers that are the same for every caller with the same key, stored as the bytes to send.
 * Requests that arrive while an answer is made wait for it; a failed one is not cached.
 * @param vary name of the header that the key is made from
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
            // The browser must revalidate the answer each time.
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
