import { isIP } from "node:net";
import type { ArticleLinkProblem, articleLinkCheck, ReplyOf } from "@herdwise/contract";

/** A page of the site as a visitor gets it. */
export interface SeenPage {
  status: number;
  html: string;
}

export interface LinkCheckDependencies {
  /** Asks this server for a path as a visitor would, without the network. */
  look: (path: string) => Promise<SeenPage>;
  publicUrl: string;
}

/** Whether a host can be one that visitors reach: a name with a dot that is no address of a network of one's own. */
function isPublicHost(host: string): boolean {
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0) return false;
  return (
    /^(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}$/u.test(host) &&
    !/\.(?:local|localhost|internal|lan|test|invalid)$/.test(host)
  );
}

/**
 * Looks at the links of a text. What leads to a page of the site is asked for; addresses of other sites are judged by their form alone: a
 * server that calls what somebody typed calls whatever stands beside it.
 */
export function createLinkCheck({ look, publicUrl }: LinkCheckDependencies) {
  const own = new URL(publicUrl);

  const problemInside = async ({ pathname, search, hash }: URL): Promise<ArticleLinkProblem | undefined> => {
    // Operations and files for programs are no pages.
    if (/^\/(?:api|dev)(?:\/|$)/.test(pathname)) return "missing";
    const { status, html } = await look(`${pathname}${search}`);
    if (status >= 400) return "missing";
    const anchor = hash === "" ? "" : decoded(hash.slice(1));
    return anchor !== "" && !html.includes(`id="${anchor}"`) ? "anchor" : undefined;
  };

  const problemOf = async (link: string): Promise<ArticleLinkProblem | undefined> => {
    const text = link.trim();
    // A place of the page itself gets its name when the page is made.
    if (text.startsWith("#")) return undefined;
    if (/^mailto:/i.test(text)) return /^mailto:[^\s@?]+@[^\s@?]+\.[^\s@?]+(?:\?.*)?$/i.test(text) ? undefined : "form";
    if (/^tel:/i.test(text)) return /^tel:\+?[\d().\s-]{3,24}$/i.test(text) ? undefined : "form";
    const isOwnPath = /^\/(?!\/)/.test(text);
    if (!isOwnPath && !/^https?:\/\//i.test(text)) return "form";
    const address = URL.parse(text, own.origin);
    if (address === null || address.username !== "" || address.password !== "") return "form";
    if (address.origin === own.origin) return problemInside(address);
    if (!isPublicHost(address.hostname)) return "inside";
    return address.protocol === "https:" ? undefined : "insecure";
  };

  return {
    async check(links: readonly string[]): Promise<ReplyOf<typeof articleLinkCheck>> {
      const found: { link: string; problem: ArticleLinkProblem }[] = [];
      // One after the other: a text with a hundred links must not render a hundred pages at once.
      for (const link of new Set(links)) {
        const problem = await problemOf(link);
        if (problem !== undefined) found.push({ link, problem });
      }
      return found;
    },
  };
}
export type LinkCheck = ReturnType<typeof createLinkCheck>;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
