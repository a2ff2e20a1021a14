import { looksAsElements } from "./paste-looks.ts";

/** What was taken out of pasted markup, for the person to see. */
export interface Pasted {
  html: string;
  /** Fonts, colours and other looks. */
  looks: number;
  /** Empty paragraphs. */
  empty: number;
  /** Comments, and what Word adds for itself. */
  comments: number;
}

/** A paste with what became of its pictures. */
export interface PastedBody extends Pasted {
  /** Pictures that came along. */
  pictures: number;
  /** Pictures whose bytes are not there, or in a format that no browser shows. */
  lost: number;
}

const looksOfTag =
  /\s(?:style|class|lang|face|color|bgcolor|align|width|height|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Takes out of pasted markup what Word and other editors add to the words. The server cleans what is saved by its allow-list in any case;
 * this is so that the writer sees at once what is kept.
 */
export function cleanPasted(html: string): Pasted {
  const comments = count(html, /<!--[\s\S]*?-->/g) + count(html, /<\/?(?:o|w|m|v|st1):[^>]*>/gi);
  const looks =
    count(html, /\s(?:style|face|color|bgcolor|size|align|lang|width|height)\s*=/gi) +
    count(html, /\sclass\s*=\s*"?Mso/gi);
  const bare = looksAsElements(html)
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(style|script|xml|title|head)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/<\/?(?:o|w|m|v|st1):[^>]*>/gi, "")
    // Pictures are ours by now, and so are their sizes.
    .replace(/<(?!img\b)[a-z][^>]*>/gi, (tag) => tag.replace(looksOfTag, ""))
    .replace(/<\/?(?:font|span)\b[^>]*>/gi, "");
  const blank = /<(p|div|h[1-6])\b[^>]*>(?:\s|&nbsp;|\u00a0|<br\s*\/?>)*<\/\1>/gi;
  return { html: bare.replace(blank, ""), looks, empty: count(bare, blank), comments };
}
