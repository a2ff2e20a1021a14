import { type Screen, screens } from "../../screens.ts";

/** Entering one of these ends the session, so nobody is sent there after log-in. */
const sessionEnders = ["/login", "/register"];

/** Writes where to go after log-in: the JSON of product.md 4 for a known screen, else the path. */
export function redirectQuery(path: string, search: string): string {
  const screen = screens.find((candidate) => candidate.path === path);
  if (!screen) return path + search;
  const query = Object.fromEntries(new URLSearchParams(search));
  return JSON.stringify({ name: screen.menuCode, ...(Object.keys(query).length > 0 ? { query } : {}) });
}

function pathOfNamed(text: string, known: readonly Screen[]): string | undefined {
  try {
    const target: unknown = JSON.parse(text);
    if (typeof target !== "object" || target === null || !("name" in target)) return undefined;
    const screen = known.find((candidate) => candidate.menuCode === target.name);
    if (!screen) return undefined;
    const query =
      "query" in target && typeof target.query === "object" && target.query !== null
        ? Object.entries(target.query).map(([name, value]): [string, string] => [name, String(value)])
        : [];
    return query.length === 0 ? screen.path : `${screen.path}?${new URLSearchParams(query)}`;
  } catch {
    return undefined;
  }
}

/**
 * Reads the redirect query. Only places inside this site come out: another origin, a protocol, a backslash or a control
 * character (which browsers drop, turning "/\t/evil" into "//evil") gives undefined, and so do the pages that end a session.
 */
export function redirectTarget(
  text: string | null,
  origin: string,
  known: readonly Screen[] = screens,
): string | undefined {
  if (!text) return undefined;
  if (text.startsWith("{")) return pathOfNamed(text, known);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
  if (!text.startsWith("/") || /^\/[/\\]|[\\\u0000-\u001f\u007f]/.test(text)) return undefined;
  try {
    const target = new URL(text, origin);
    if (target.origin !== origin || target.pathname.startsWith("//")) return undefined;
    // As the router reads it: without regard to case, encoding and a slash behind.
    const page = decodeURIComponent(target.pathname).toLowerCase().replace(/\/+$/, "");
    return sessionEnders.includes(page) ? undefined : target.pathname + target.search + target.hash;
  } catch {
    return undefined;
  }
}
