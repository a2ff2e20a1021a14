/** A seeded article, which is published at once; `bodyOf` converts its plain lines. */
export interface ArticleSeed {
  channel: "information" | "news" | "notice" | "solution" | "legal";
  page?: string;
  topic: string;
  cover: string;
  author?: string;
  /** Days since its publication. */
  daysAgo?: number;
  /** Fixed time of its publication. */
  publishedAt?: Date;
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  zh: string;
  en: string;
}

/**
 * Converts plain lines to HTML: `## ` headings, `### ` smaller ones, `- ` bullets, `1. ` steps, `> ` quotes, and `| a
 * b |` rows of a table whose first row is the header.
 */
export function bodyOf(lines: string): string {
  const html: string[] = [];
  let rows = 0;
  let open: "ul" | "ol" | "table" | undefined;
  const close = (): void => {
    if (open !== undefined) html.push(open === "table" ? "</tbody></table>" : `</${open}>`);
    open = undefined;
    rows = 0;
  };
  const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  for (const line of lines
    .trim()
    .split("\n")
    .map((one) => one.trim())) {
    const kind = line.startsWith("- ")
      ? "ul"
      : /^\d+\. /.test(line)
        ? "ol"
        : line.startsWith("| ")
          ? "table"
          : undefined;
    if (kind !== open) close();
    if (line === "") continue;
    if (kind === "ul" || kind === "ol") {
      if (open === undefined) html.push(`<${kind}>`);
      html.push(`<li>${escaped(line.replace(/^\S+ /, ""))}</li>`);
    } else if (kind === "table") {
      if (open === undefined) html.push("<table><tbody>");
      const cell = rows === 0 ? "th" : "td";
      const cells = line
        .slice(2)
        .replace(/\s*\|$/, "")
        .split("|");
      html.push(
        `<tr>${cells.map((text) => `<${cell}${rows === 0 ? ' scope="col"' : ""}>${escaped(text.trim())}</${cell}>`).join("")}</tr>`,
      );
      rows += 1;
    } else if (line.startsWith("### ")) html.push(`<h3>${escaped(line.slice(4))}</h3>`);
    else if (line.startsWith("## ")) html.push(`<h2>${escaped(line.slice(3))}</h2>`);
    else if (line.startsWith("> ")) html.push(`<blockquote><p>${escaped(line.slice(2))}</p></blockquote>`);
    else html.push(`<p>${escaped(line)}</p>`);
    open = kind;
  }
  close();
  return html.join("");
}
