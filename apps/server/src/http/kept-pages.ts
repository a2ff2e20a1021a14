import { randomBytes } from "node:crypto";

interface PageHead {
  status: number;
  headers: Headers;
}

/** A rendered page, its nonce still to be put in. */
interface KeptPage extends PageHead {
  /** What stands between the places of the nonce, encoded. */
  parts: readonly Buffer[];
}

/** A page as it is sent. */
export interface PageAnswer extends PageHead {
  body: Buffer;
}

/** To whom a page looks the same, and for how many ms it may be shown again. */
export interface Reuse {
  key: string;
  forMs: number;
}

/** Kept pages; each is some 50 kB. The oldest gives way. */
const mostKept = 64;

/**
 * Shows a page again to those for whom it looks the same, instead of rendering it for each: only the nonce of the content
 * security policy differs. Requests that come while it is rendered wait for it. A page that fails is not kept.
 * @param render renders a request, made when it is needed, with the nonce that it is given
 */
export function createKeptPages(
  render: (request: Request, nonce: string) => Promise<Response>,
  now: () => number = Date.now,
) {
  /** Stands for the nonce in what is kept; unknown outside, so that nothing a visitor sends is taken for it. */
  const placeholder = randomBytes(16).toString("hex");
  const kept = new Map<string, { page: Promise<KeptPage>; until: number }>();

  const renderPage = async (request: Request): Promise<KeptPage> => {
    const response = await render(request, placeholder);
    const { status, headers } = response;
    const texts = (await response.text()).split(placeholder);
    return { status, headers, parts: texts.map((text) => Buffer.from(text)) };
  };

  const pageFor = (request: () => Request, { key, forMs }: Reuse): Promise<KeptPage> => {
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
  };

  return {
    /** Forgets all pages, also those that are being rendered from what was before. */
    clear: (): void => kept.clear(),
    async respond(request: () => Request, reuse: Reuse, nonce: string): Promise<PageAnswer> {
      const { status, headers, parts } = await pageFor(request, reuse);
      const between = Buffer.from(nonce);
      return {
        status,
        headers,
        body: Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))),
      };
    },
  };
}
