import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { articlePictureAltMax, articlePicturePath, articlePicturePattern } from "@herdwise/contract";
import { isBlockKind, isScene } from "@herdwise/contract/article-blocks";
import { pagePictureWidths } from "@herdwise/contract/picture-widths";
import { scriptsAsCharacters } from "@herdwise/contract/script-characters";
import sanitizeHtml from "sanitize-html";

/** Elements that an article may have. Everything else loses its tag; what is never read as text goes with its content. */
const allowedTags = [
  "p",
  "h2",
  "h3",
  "ul",
  "ol",
  "li",
  "blockquote",
  "strong",
  "em",
  "u",
  "s",
  "sub",
  "sup",
  "a",
  "br",
  "hr",
  "code",
  "pre",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "img",
  "figure",
  "figcaption",
];

/** Elements whose content is no text of the article. */
const droppedWithContent = [
  "script",
  "style",
  "textarea",
  "option",
  "noscript",
  "title",
  "xml",
  "iframe",
  "object",
  "embed",
  "svg",
  "math",
  "template",
  "head",
];

/** Deeper nesting is nobody's text; it would only cost the reader's browser. */
const nestingLimit = 24;

const spanAttribute = /^[1-9]\d?$/;

/** Addresses inside the site, on other sites, and of mail and telephone. "//host" would leave the site without saying so. */
const isAddress = (href: string): boolean => /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(href.trim());

/** What an editor or Word calls by another name. */
const renamed: Readonly<Record<string, string>> = {
  h1: "h2",
  h4: "h3",
  h5: "h3",
  h6: "h3",
  b: "strong",
  i: "em",
  strike: "s",
  del: "s",
  div: "p",
};

/** Size of a picture's widest version, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How wide a picture of a body is shown: the whole column, which is 880 px at most (content.css). */
const pictureSizes = "(max-width: 960px) 92vw, 880px";

const sizeOf = (text = ""): number => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0);

/**
 * Attributes of a picture that is one of ours; none of another, which is then left out.
 * @param known pictures that there are; without it the sizes that the body names count
 * @param forPages with what a page needs to fetch the version that fits, as late as it is needed
 */
function pictureAttributes(
  { src = "", alt = "", ...held }: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, PictureSize> | undefined,
  forPages: boolean,
): Record<string, string> {
  const [, id = "", named] = articlePicturePattern.exec(src) ?? [];
  const size = known === undefined ? { width: sizeOf(named), height: sizeOf(held.height) } : known.get(id);
  if (id === "" || size === undefined || size.width === 0 || size.height === 0) return {};
  const widths = pagePictureWidths(size.width);
  return {
    src: articlePicturePath(id, size.width),
    ...(forPages && {
      srcset: widths.map((width) => `${articlePicturePath(id, width)} ${width}w`).join(", "),
      sizes: pictureSizes,
      loading: "lazy",
      decoding: "async",
    }),
    alt: alt.replace(/\s+/g, " ").trim().slice(0, articlePictureAltMax),
    width: String(size.width),
    height: String(size.height),
  };
}

/** The attributes of a content block that there is; none of another figure, which is then left out with its words kept. */
function blockAttributes({ "data-block": kind = "", "data-scene": scene = "" }: Readonly<Record<string, string>>) {
  const attributes: Record<string, string> = {};
  if (!isBlockKind(kind)) return attributes;
  attributes["data-block"] = kind;
  if (kind === "scene" && isScene(scene)) attributes["data-scene"] = scene;
  return attributes;
}

/** @param known pictures that a body that is saved may show; undefined for one that is read */
const clean = (html: string, headings: boolean, known?: ReadonlyMap<string, PictureSize>) => {
  const ids: string[] = [];
  /** A block holds no other one. */
  let inBlock = false;
  const text = sanitizeHtml(html, {
    allowedTags,
    nonTextTags: droppedWithContent,
    nestingLimit,
    allowedAttributes: {
      a: ["href", "rel"],
      th: ["colspan", "rowspan", "scope"],
      td: ["colspan", "rowspan"],
      img: ["src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding"],
      figure: ["data-block", "data-scene"],
      ...(headings && { h2: ["id"] }),
    },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    enforceHtmlBoundary: false,
    transformTags: {
      ...Object.fromEntries(
        Object.entries(renamed).map(([from, to]) => [from, sanitizeHtml.simpleTransform(to, {}, false)]),
      ),
      a: (_name, { href = "" }) => ({
        tagName: "a",
        attribs: isAddress(href)
          ? { href: href.trim(), ...(/^https?:/i.test(href.trim()) && { rel: "noopener nofollow" }) }
          : ({} as Record<string, string>),
      }),
      th: (_name, held) => ({ tagName: "th", attribs: cellAttributes(held, true) }),
      td: (_name, held) => ({ tagName: "td", attribs: cellAttributes(held, false) }),
      img: (_name, held) => ({ tagName: "img", attribs: pictureAttributes(held, known, headings) }),
      figure: (_name, held) => {
        const attribs = inBlock ? {} : blockAttributes(held);
        inBlock ||= "data-block" in attribs;
        return { tagName: "figure", attribs };
      },
      figcaption: () => ({ tagName: inBlock ? "figcaption" : "p", attribs: {} }),
      ...(headings && {
        h2: () => {
          const id = `s${ids.length + 1}`;
          ids.push(id);
          return { tagName: "h2", attribs: { id } };
        },
        h1: () => {
          const id = `s${ids.length + 1}`;
          ids.push(id);
          return { tagName: "h2", attribs: { id } };
        },
      }),
    },
    // An editor leaves empty paragraphs behind, Word many of them.
    exclusiveFilter: ({ tag, attribs, text: inner, mediaChildren }) => {
      if (tag === "figure") {
        if (attribs["data-block"] === undefined) return "excludeTag";
        inBlock = false;
      }
      return (
        (tag === "img" && attribs.src === undefined) ||
        (["p", "h2", "h3", "li", "blockquote"].includes(tag) && inner.trim() === "" && mediaChildren.length === 0)
      );
    },
  });
  return text.trim();
};

function cellAttributes(held: Readonly<Record<string, string>>, head: boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["colspan", "rowspan"]) {
    const value = held[name];
    if (value !== undefined && value !== "1" && spanAttribute.test(value)) kept[name] = value;
  }
  if (head) kept.scope = held.scope === "row" ? "row" : "col";
  return kept;
}

/** Elements and attributes of a markup, without those that an editor writes for itself and nobody meant. */
function countOf(html: string): number {
  const meant = html
    .replace(/<colgroup>[\s\S]*?<\/colgroup>/gi, "")
    .replace(/\s(?:colspan|rowspan)="1"/gi, "")
    .replace(/(<table)\s+style="[^"]*"/gi, "$1")
    .replace(/\s(?:rel|target|scope)="[^"]*"/gi, "")
    .replace(/<p>\s*<\/p>/gi, "");
  const tags = meant.match(/<[a-z][^>]*>/gi) ?? [];
  return tags.reduce((sum, tag) => sum + 1 + (tag.match(/\s[\w:-]+\s*=/g) ?? []).length, 0);
}

/**
 * Cleans what an editor sends by the allow-list, whatever it was made with.
 * @param pictures those that there are; others are left out
 * @returns the HTML that is kept, and how many elements and attributes it has less than before
 */
export function cleanBody(html: string, pictures: ReadonlyMap<string, PictureSize>): { html: string; removed: number } {
  // Word's conditional comments hide markup from parsers that read comments as comments, and namespaced elements from all.
  const plain = html.replace(/<!--[\s\S]*?(-->|$)/g, "").replace(/<!\[[\s\S]*?\]>/g, "");
  const kept = clean(plain, false, pictures);
  return { html: kept, removed: Math.max(0, countOf(html) - countOf(kept)) };
}

/** Ids of the pictures that a markup names, each once. */
export const picturesOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<img\b[^>]*\ssrc="([^"]*)"/gi)].flatMap(
      ([, src = ""]) => articlePicturePattern.exec(src)?.[1] ?? [],
    ),
  ),
];

/** Whether a cleaned body shows a picture that has no words for those who don't see it. */
export const hasPictureWithoutWords = (html: string): boolean => /<img\b[^>]*\salt=""/.test(html);

/** The words of a body, without its markup; what is raised or lowered stays so where there are characters for it. */
export const textOf = (html: string): string =>
  sanitizeHtml(scriptsAsCharacters(html).replace(/<\/(p|h2|h3|li|td|th|tr|blockquote|caption|figcaption)>/gi, "$& "), {
    allowedTags: [],
    allowedAttributes: {},
  })
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();

/** A body as a page shows it: cleaned once more, because it is put into pages as it is, its h2 with ids, and their list. */
function readableBody(html: string): { body: string; contents: { id: string; text: string }[] } {
  const body = clean(html, true);
  const contents = [...body.matchAll(/<h2 id="(s\d+)">([\s\S]*?)<\/h2>/g)].map(([, id = "", inner = ""]) => ({
    id,
    text: textOf(inner),
  }));
  return { body, contents };
}

/** Chinese characters a minute and Latin words a minute that an adult reads. */
const charactersPerMinute = 400;
const wordsPerMinute = 220;

/** Minutes that a text takes to read, at least 1. */
function minutesOf(text: string): number {
  const characters = (text.match(/\p{Script=Han}/gu) ?? []).length;
  const words = (text.match(/[A-Za-z0-9]+/g) ?? []).length;
  return Math.max(1, Math.round(characters / charactersPerMinute + words / wordsPerMinute));
}

/** A body as it is kept for readers. */
export interface Reading {
  /** Goes into a page as it is. */
  body: string;
  contents: { id: string; text: string }[];
  minutes: number;
  /** Without markup. */
  words: string;
}

export function readingOf(html: string): Reading {
  const words = textOf(html);
  return { ...readableBody(html), minutes: minutesOf(words), words };
}

const { version: sanitizerVersion } = createRequire(import.meta.url)("sanitize-html/package.json") as {
  version: string;
};
/** What this file and its library do to a body. */
const rulesDigest = createHash("sha256")
  .update(readFileSync(new URL(import.meta.url)))
  .update(sanitizerVersion)
  .digest("hex");

/**
 * Seals of readings. What a page shows without cleaning it must be what this code cleaned, for this article: a row that somebody
 * changed, or that came with another installation's backup, carries no seal of ours and is cleaned from the version again.
 */
export function createReadingSeals(secretKey: string) {
  const key = createHmac("sha256", secretKey).update("article readings").update(rulesDigest).digest();
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  return {
    /** Names the rules: what was kept under another name is made anew, so that a stricter allow-list reaches what was published before. */
    rules: sign("rules").slice(0, 16),
    of: ({ id, version, language, body }: { id: string; version: number; language: string; body: string }): string =>
      sign(`${id}.${version}.${language}.${body}`),
  };
}
export type ReadingSeals = ReturnType<typeof createReadingSeals>;
