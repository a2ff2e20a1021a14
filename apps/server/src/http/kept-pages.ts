import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Supported content encodings, the preferred one first. */
const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

const compressors: Readonly<Record<Encoding, (page: Buffer) => Promise<Buffer>>> = {
  br: (page) => promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

/** A cached page or answer, ready to send to every reader. */
export interface KeptPage {
  readonly status: number;
  /** Headers of the page, including its content type and content security policy. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tag: string;
  readonly body: Buffer;
  /** Compressed bytes by encoding, each made for the first reader who accepts it. */
  readonly packed: Map<Encoding, Promise<Buffer>>;
}

/** Cache key of readers who get the same page, and milliseconds for which it may be reused. */
export interface Reuse {
  key: string;
  forMs: number;
}

/** Most cached pages, each some 60 kB, and 15 kB compressed; the oldest is dropped. */
const mostKept = 512;

/**
 * Chooses the encoding of a page.
 * @param accepted the header Accept-Encoding
 * @returns undefined for no compression
 */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const offers = accepted.split(",").map((offer) => offer.trim().toLowerCase());
  return encodings.find((encoding) =>
    offers.some((offer) => offer === encoding || (offer.startsWith(`${encoding};`) && !/q=0(\.0*)?$/.test(offer))),
  );
}

/** A page in an encoding, compressed only once. */
export function packedPage({ body, packed }: KeptPage, encoding: Encoding): Promise<Buffer> {
  const held = packed.get(encoding);
  if (held !== undefined) return held;
  const made = compressors[encoding](body);
  packed.set(encoding, made);
  return made;
}

/** Sends a cached page from its prepared bytes in the reader's encoding. */
export async function sendKept(
  { headers: asked }: FastifyRequest,
  reply: FastifyReply,
  page: KeptPage,
): Promise<FastifyReply> {
  reply.code(page.status).headers(page.headers);
  if (page.status === 200 && asked["if-none-match"]?.includes(page.tag)) return reply.code(304).send();
  const encoding = encodingFor(asked["accept-encoding"]);
  if (encoding === undefined) return reply.send(page.body);
  return reply.header("Content-Encoding", encoding).send(await packedPage(page, encoding));
}

/**
 * Caches rendered pages by key. Requests that arrive while a page is rendered wait for it; a failed page is not cached.
 * Cached bytes can't contain a nonce for each answer. So pages are rendered with a placeholder as the nonce; the policy then
 * lists the digests of the scripts that carry it, and the placeholders are removed.
 * @param render renders a request with the given nonce
 * @param policyOf makes the content security policy for pages with these sources of inline scripts
 */
export function createKeptPages(
  render: (request: Request, nonce: string) => Promise<Response>,
  policyOf: (scripts: readonly string[]) => string,
  now: () => number = Date.now,
) {
  /** Secret, so that nothing a visitor sends is mistaken for it. */
  const mark = randomBytes(16).toString("hex");
  const markedScript = new RegExp(`<script[^>]* nonce="${mark}"[^>]*>([^]*?)</script>`, "g");
  const kept = new Map<string, { page: Promise<KeptPage>; until: number }>();

  const renderPage = async (request: Request): Promise<KeptPage> => {
    const response = await render(request, mark);
    const marked = await response.text();
    const scripts = new Set(
      [...marked.matchAll(markedScript)].flatMap(([, said = ""]) =>
        said === "" ? [] : [`'sha256-${createHash("sha256").update(said).digest("base64")}'`],
      ),
    );
    const body = Buffer.from(marked.replaceAll(` nonce="${mark}"`, ""));
    const tag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const { status } = response;
    const cookies = response.headers.getSetCookie();
    const headers: Record<string, string | string[]> = {
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie" && name !== "vary")),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
      vary: [response.headers.get("vary"), "Accept-Encoding"].filter(Boolean).join(", "),
      "content-security-policy": policyOf([...scripts]),
      // The browser must revalidate the page each time, and may show it at once when the reader goes back.
      ...(status === 200 ? { "cache-control": "private, no-cache", etag: tag } : { "cache-control": "no-store" }),
    };
    return { status, headers, tag, body, packed: new Map() };
  };

  return {
    /** Drops all pages, including those that are being rendered from older data. */
    clear: (): void => kept.clear(),
    find(request: () => Request, { key, forMs }: Reuse): Promise<KeptPage> {
      const found = kept.get(key);
      if (found !== undefined && found.until > now()) return found.page;
      const page = renderPage(request());
      const entry = { page, until: now() + forMs };
      kept.delete(key);
      kept.set(key, entry);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      const forget = (): void => {
        if (kept.get(key) === entry) kept.delete(key);
      };
      page.then(({ status }) => {
        if (status !== 200) forget();
      }, forget);
      return page;
    },
  };
}
