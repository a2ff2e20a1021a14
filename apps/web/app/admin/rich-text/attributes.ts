/** Reads an attribute of a tag as the editor writes it; "" where it has none. */
export const attributeOf = (tag: string, name: string): string =>
  (new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** Addresses of the links in a body, in their order. */
export const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a\s[^>]*>/g)].map(([tag]) => attributeOf(tag, "href")).filter((href) => href !== "");
