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
  const bare = html
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(style|script|xml|title|head)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/<\/?(?:o|w|m|v|st1):[^>]*>/gi, "")
    .replace(/\s(?:style|class|lang|face|color|bgcolor|align|width|height|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, "")
    .replace(/<\/?(?:font|span)\b[^>]*>/gi, "");
  const blank = /<(p|div|h[1-6])\b[^>]*>(?:\s|&nbsp;|\u00a0|<br\s*\/?>)*<\/\1>/gi;
  return { html: bare.replace(blank, ""), looks, empty: count(bare, blank), comments };
}
