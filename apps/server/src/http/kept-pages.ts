import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How the bytes of a page may go over the line, the one that is preferred first. */
const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

const compressors: Readonly<Record<Encoding, (page: Buffer) => Promise<Buffer>>> = {
  br: (page) => promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

/** A page or an answer as it is sent, the same to everybody. */
export interface KeptPage {
  readonly status: number;
  /** Those of the page, of its content and of its policy. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tag: string;
  readonly body: Buffer;
  /** Compressed at the first reader who takes it that way. */
  readonly packed: Map<Encoding, Promise<Buffer>>;
}

/** To whom a page looks the same, and for how many ms it may be shown again. */
export interface Reuse {
  key: string;
  forMs: number;
}

/** Kept pages; each is some 60 kB, and 15 compressed. The oldest gives way. */
const mostKept = 512;

/**
 * The encoding in which a page is sent to somebody who accepts these.
 * @param accepted the header Accept-Encoding
 * @returns undefined for the bytes as they are
 */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const offers = accepted.split(",").map((offer) => offer.trim().toLowerCase());
  return encodings.find((encoding) =>
    offers.some((offer) => offer === encoding || (offer.startsWith(`${encoding};`) && !/q=0(\.0*)?$/.test(offer))),
  );
}

/** A page in an encoding. It is made once. */
export function packedPage({ body, packed }: KeptPage, encoding: Encoding): Promise<Buffer> {
  const held = packed.get(encoding);
  if (held !== undefined) return held;
  const made = compressors[encoding](body);
  packed.set(encoding, made);
  return made;
}

/** Sends what others are shown, too: the bytes are there already, in each encoding. */
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
 * Shows a page again to those for whom it looks the same, instead of rendering it for each. Requests that come while it is rendered
 * wait for it. A page that fails is not kept.
 *
 * The same bytes can't carry a nonce of each answer. A page is rendered with a mark in its place; scripts that carry the mark are
 * named to the browser by the digest of what they say, and the marks are taken out.
 * @param render renders a request, made when it is needed, with the nonce that it is given
 * @param policyOf content security policy of a page whose inline scripts are these sources
 */
export function createKeptPages(
  render: (request: Request, nonce: string) => Promise<Response>,
  policyOf: (scripts: readonly string[]) => string,
  now: () => number = Date.now,
) {
  /** Unknown outside, so that nothing a visitor sends is taken for it. */
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
      // A browser asks each time whether it is still the same, and shows it at once when somebody goes back.
      ...(status === 200 ? { "cache-control": "private, no-cache", etag: tag } : { "cache-control": "no-store" }),
    };
    return { status, headers, tag, body, packed: new Map() };
  };

  return {
    /** Forgets all pages, also those that are being rendered from what was before. */
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
