import { textOfHtml } from "@herdwise/contract/html-text";
import { scriptsAsCharacters } from "@herdwise/contract/script-characters";
import { compareParagraphs, type DiffPart } from "../../shared/difference/text-difference.ts";

/** The paragraphs, headings, points and cells of a body, as text. */
export function blocksOf(html: string): string[] {
  return scriptsAsCharacters(html)
    .split(/<\/(?:p|h2|h3|li|td|th|blockquote|pre|figcaption)>|<hr\s*\/?>/i)
    .map(textOfHtml)
    .filter((part) => part !== "");
}

/** Pictures as paragraphs with their words. */
const picturesAsText = (html: string): string =>
  html.replace(/<img\b[^>]*>/gi, (tag) => {
    const [, alt = ""] = /\salt="([^"]*)"/i.exec(tag) ?? [];
    const [, source = ""] = /\ssrc="\/pictures\/([0-9a-f]{8})/i.exec(tag) ?? [];
    return `<p>▣ ${alt} ${source}</p>`;
  });

/** What two versions of a body have and don't have in common: a list of paragraphs, each in its parts. */
export const compareBodies = (before: string, after: string): DiffPart[][] =>
  compareParagraphs(blocksOf(picturesAsText(before)), blocksOf(picturesAsText(after)));
