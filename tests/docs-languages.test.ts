import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marked, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const inChinese = (page: string): string => page.replace(/\.md$/, ".zh.md");

/**
 * Pages for people who run or use the portal: the README, everything in docs/operations, the user guide, and whatever else has a
 * Chinese page. Left out is docs/operations.md, a table that is generated from code. Pages for people who change the code are English.
 */
const pairs: [english: string, chinese: string][] = [
  ...[
    ...new Set([
      "README.md",
      ...globSync("docs/operations/*.md", { cwd: root }),
      ...globSync("docs/**/*.zh.md", { cwd: root }),
    ]),
  ]
    .map((page) => page.replace(/\.zh\.md$/, ".md"))
    .filter((page, at, all) => all.indexOf(page) === at)
    .map((page): [string, string] => [page, inChinese(page)]),
  ["docs/guide/en.md", "docs/guide/zh.md"],
];

/** What both languages of a page have to have alike. */
interface Shape {
  /** Levels of the headings, in order. */
  headings: number[];
  /** Kind and number of entries of each list, in order. */
  lists: string[];
  /** Columns and rows of each table, in order. */
  tables: string[];
  /** Paragraphs that begin with bold words, as sections without a heading do. */
  leads: number;
  /** Addresses and pictures, sorted, without the language and the place in the page. */
  links: string[];
  /** Names of variables of the environment that the text has. */
  variables: string[];
  /** Blocks of code, in order. */
  blocks: { language: string; lines: string[] }[];
}

const fragmentOf = (href: string): string => decodeURIComponent(href.replace(/^[^#]*#?/, ""));

/** As a page of the repository is addressed within itself: small letters, blanks as hyphens, no punctuation. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

function walk(text: string): Token[] {
  const found: Token[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    found.push(token);
  });
  return found;
}

function shapeOf(text: string): Shape {
  const tokens = walk(text);
  const of = <Kind extends Token>(type: Kind["type"]) => tokens.filter((token): token is Kind => token.type === type);
  const prose = tokens.filter(({ type }) => type !== "code").map(({ raw }) => raw);
  return {
    headings: of<Tokens.Heading>("heading").map(({ depth }) => depth),
    lists: of<Tokens.List>("list").map(({ ordered, items }) => `${ordered ? "numbered" : "dotted"} ${items.length}`),
    tables: of<Tokens.Table>("table").map(({ header, rows }) => `${header.length} columns, ${rows.length} rows`),
    leads: of<Tokens.Paragraph>("paragraph").filter(({ tokens: [first] }) => first?.type === "strong").length,
    links: [
      ...of<Tokens.Link>("link").map(({ href }) => href.replace(/#.*$/, "").replace(/\.zh\.md$/, ".md")),
      ...[...prose.join("\n").matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(([, picture]) => picture ?? ""),
    ].sort(),
    variables: [...new Set(prose.join("\n").match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g))].sort(),
    blocks: of<Tokens.Code>("code").map(({ lang, text: code }) => ({ language: lang ?? "", lines: code.split("\n") })),
  };
}

const comment = /^\s*(?:#|--|\/\/)/;

/** Whether two lines of code do the same: comments and quoted words of Chinese may differ. */
function isSameLine(english: string, chinese: string): boolean {
  if (english === chinese || (comment.test(english) && comment.test(chinese))) return true;
  const pattern = chinese
    .replace(/\s+#\s.*$/, "")
    .split(/"[^"]*\p{Script=Han}[^"]*"/u)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join('"[^"]*"');
  return new RegExp(`^${pattern}$`).test(english.replace(/\s+#\s.*$/, ""));
}

/** What the two languages of a page do not have alike, in words; none when they fit together. */
function differences(english: string, chinese: string): string[] {
  const [one, other] = [shapeOf(english), shapeOf(chinese)];
  const found = (["headings", "lists", "tables", "leads", "links", "variables"] as const)
    .filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]))
    .map((part) => {
      const [here, there] = [one[part], other[part]];
      if (!Array.isArray(here) || !Array.isArray(there)) return `${part}: ${here} in English, ${there} in Chinese`;
      const at = here.findIndex((value, place) => value !== there[place]);
      const place = at === -1 ? here.length : at;
      return `${part}, number ${place + 1}: ${here[place] ?? "none"} in English, ${there[place] ?? "none"} in Chinese`;
    });
  if (one.blocks.length !== other.blocks.length)
    return [...found, `blocks of code: ${one.blocks.length} in English, ${other.blocks.length} in Chinese`];
  for (const [at, block] of one.blocks.entries()) {
    const counterpart = other.blocks[at] as Shape["blocks"][number];
    if (block.language !== counterpart.language || block.lines.length !== counterpart.lines.length) {
      found.push(`block of code ${at + 1}: another language or number of lines`);
      continue;
    }
    for (const [line, text] of block.lines.entries())
      if (!isSameLine(text, counterpart.lines[line] ?? ""))
        found.push(`block of code ${at + 1}: "${text}" in English, "${counterpart.lines[line]}" in Chinese`);
  }
  return found;
}

describe("pages in two languages", () => {
  test("there are as many as there were", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(15);
    expect(pairs.map(([english]) => english)).not.toContain("docs/operations.md");
  });

  test.each(pairs)("%s says what %s says", (english, chinese) => {
    expect({ [english]: existsSync(join(root, english)), [chinese]: existsSync(join(root, chinese)) }).toEqual({
      [english]: true,
      [chinese]: true,
    });
    expect(differences(read(english), read(chinese))).toEqual([]);
  });

  test.each(pairs)("%s and %s lead to each other, and the Chinese one on to pages in Chinese", (english, chinese) => {
    const name = (page: string) => page.replace(/^.*\//, "");
    const links = (page: string) =>
      walk(read(page)).flatMap((token) => (token.type === "link" ? [(token as Tokens.Link).href] : []));
    if (!english.startsWith("docs/guide/")) {
      expect(links(english)).toContain(name(chinese));
      expect(links(chinese)).toContain(name(english));
    }
    const folder = join(root, chinese, "..");
    const back = links(chinese)
      .map((href) => href.replace(/#.*$/, ""))
      .filter((href) => href !== name(english) && /(?<!\.zh)\.md$/.test(href) && !/^https?:/.test(href))
      .filter((href) => existsSync(join(folder, inChinese(href))));
    expect(back).toEqual([]);
  });

  test.each(pairs.flat())("places within pages that %s leads to are there", (page) => {
    const places = (text: string) => [
      ...walk(text).flatMap((token) => (token.type === "heading" ? [slugOf((token as Tokens.Heading).text)] : [])),
      ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id ?? ""),
    ];
    const missing = walk(read(page))
      .flatMap((token) => (token.type === "link" ? [(token as Tokens.Link).href] : []))
      .filter((href) => !/^https?:/.test(href) && fragmentOf(href) !== "")
      .filter((href) => {
        const path = href.replace(/#.*$/, "");
        return !places(read(path === "" ? page : join(page, "..", path))).includes(fragmentOf(href));
      });
    expect(missing).toEqual([]);
  });

  const sample = [
    "# A",
    "**Lead.** `X_Y` and [link](a.md#b).",
    "",
    "- one",
    "- two",
    "",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "",
    "```sh",
    "# words",
    'echo "words" | sudo tee x # why',
    "```",
  ].join("\n");
  test.each([
    ["a heading of another level", "# A", "## A"],
    ["a heading that lacks", "# A", ""],
    ["a lead that lacks", "**Lead.** ", ""],
    ["a variable that lacks", "`X_Y`", ""],
    ["another link", "a.md#b", "c.md#b"],
    ["an entry that lacks", "- two\n", ""],
    ["a row that lacks", "| 1 | 2 |\n", ""],
    ["a block that lacks", '```sh\n# words\necho "words" | sudo tee x # why\n```', ""],
    ["another command", "sudo tee x", "sudo tee y"],
    ["a line of code that lacks", "# words\n", ""],
  ])("%s is seen", (_what, from, to) => {
    expect(sample).toContain(from);
    expect(differences(sample, sample.replace(from, to))).not.toEqual([]);
  });

  test("words, comments and the language of a link may differ", () => {
    const chinese = sample
      .replace("Lead.", "开头。")
      .replace("a.md#b", "a.zh.md#乙")
      .replace("# words", "# 注释")
      .replace('"words"', '"要写的话"')
      .replace("# why", "# 为什么");
    expect(differences(sample, chinese)).toEqual([]);
  });
});
