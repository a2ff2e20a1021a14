import { htmlOfText } from "@herdwise/contract/html-text";
import { refuse } from "../../http/errors.ts";
import type { Language } from "../../providers/translation/translator.ts";
import type { LanguageService } from "./language.service.ts";

/** Translates lines; throws where it can't translate all of them. */
type TranslateLines = (lines: readonly string[]) => Promise<readonly string[]>;

/** Elements inside of a line of text; every other one begins or ends a line. */
const inline = new Set(["a", "strong", "em", "u", "s", "sub", "sup", "code", "br", "img"]);
/** Stand for themselves: nothing of them is translated but the words of a picture. */
const whole = /^(?:<(?:br|img)\b|[^<])/;

interface Line {
  /** Text with a mark in the place of each piece of markup, as the machine gets it. */
  text: string;
  markup: readonly string[];
}

const mark = (at: number): string => `⟦${at}⟧`;
const markPattern = /⟦\s*(\d{1,3})\s*⟧/g;

const decoded = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
/** How words stand in the text that is built of them. */
type Encode = (words: string) => string;
const plain: Encode = (words) => words;
/** A machine gets one line and answers one line. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Whether there is something to translate: figures and names of types stay as they are. */
const isForeign = (text: string, to: Language): boolean => (to === "en" ? /\p{Script=Han}/u : /\p{L}/u).test(text);

const nameOf = (tag: string): string => /^<\/?([a-z0-9]+)/.exec(tag)?.[1] ?? "";

/** The line with its markup, where each mark came back once and what opens is closed in turn. */
function rebuilt({ markup }: Line, translated: string, encode: Encode): string | undefined {
  const found = [...translated.matchAll(markPattern)].map(([, at]) => Number(at));
  if (found.length !== markup.length || new Set(found).size !== found.length) return undefined;
  const open: string[] = [];
  for (const at of found) {
    const piece = markup[at];
    if (piece === undefined) return undefined;
    if (whole.test(piece) || piece.startsWith("<code")) continue;
    if (!piece.startsWith("</")) open.push(nameOf(piece));
    else if (open.pop() !== nameOf(piece)) return undefined;
  }
  if (open.length > 0) return undefined;
  let html = "";
  let from = 0;
  for (const match of translated.matchAll(markPattern)) {
    html += encode(translated.slice(from, match.index)) + (markup[Number(match[1])] ?? "");
    from = match.index + match[0].length;
  }
  return html + encode(translated.slice(from));
}

/** Pieces of a cleaned body: markup, lines of text, and what is kept as it is. */
function piecesOf(html: string): (string | Line)[] {
  const pieces: (string | Line)[] = [];
  let text = "";
  let markup: string[] = [];
  const end = (): void => {
    if (text !== "") pieces.push({ text, markup });
    text = "";
    markup = [];
  };
  // What the allow-list wrote has no ">" in attributes. Code and text whose spaces count are nobody's sentences.
  for (const [token] of html.matchAll(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>|<[^>]*>|[^<]+/g)) {
    if (!token.startsWith("<")) text += decoded(token);
    else if (!token.startsWith("<pre") && inline.has(nameOf(token))) {
      text += mark(markup.length);
      markup.push(token);
    } else {
      end();
      pieces.push(token);
    }
  }
  end();
  return pieces;
}

const spaceAround = (text: string): [before: string, after: string] => [
  /^\s*/.exec(text)?.[0] ?? "",
  /\s*$/.exec(text)?.[0] ?? "",
];

/**
 * Translates lines, each to the machine as a whole with marks for the markup in it; where the machine loses one, each piece between
 * them is translated by itself.
 */
async function translateLines(
  lines: readonly Line[],
  to: Language,
  translate: TranslateLines,
  encode: Encode,
): Promise<Map<Line, string>> {
  const wordsOf = ({ text }: Line): string => text.replace(markPattern, "");
  const sent = lines.filter((line) => isForeign(wordsOf(line), to));
  const answered = await translate(sent.map(({ text }) => oneLine(text)));
  const built = new Map(
    lines.filter((line) => !sent.includes(line)).map((line) => [line, rebuilt(line, line.text, encode) ?? ""]),
  );
  const broken: Line[] = [];
  for (const [at, line] of sent.entries()) {
    const result = rebuilt(line, answered[at] ?? "", encode);
    if (result === undefined) broken.push(line);
    else built.set(line, result);
  }
  const parts = broken.map((line) => ({ line, texts: line.text.split(markPattern) }));
  // Splitting by a pattern with a group leaves the number of each mark between the texts.
  const single = parts.flatMap(({ texts }) => texts.filter((part, at) => at % 2 === 0 && isForeign(part, to)));
  const singly = new Map<string, string>();
  const translations = single.length === 0 ? [] : await translate(single.map(oneLine));
  for (const [at, source] of single.entries()) singly.set(source, translations[at] ?? source);
  for (const { line, texts } of parts) {
    const pieced = texts.map((part, at) => {
      if (at % 2 === 1) return line.markup[Number(part)] ?? "";
      const [before, after] = spaceAround(part);
      return encode(part.trim() === "" ? part : `${before}${singly.get(part) ?? part.trim()}${after}`);
    });
    built.set(line, pieced.join(""));
  }
  return built;
}

/**
 * Translates the words of a body that the allow-list cleaned. Elements, addresses of links and pictures, and code stay as they are; the
 * words of a picture are translated, too.
 */
export async function translateBody(html: string, to: Language, translate: TranslateLines): Promise<string> {
  const pieces = piecesOf(html);
  const lines = pieces.filter((piece): piece is Line => typeof piece !== "string");
  const built = await translateLines(lines, to, translate, htmlOfText);
  const whole = pieces.map((piece) => (typeof piece === "string" ? piece : (built.get(piece) ?? ""))).join("");
  const words = [...new Set([...whole.matchAll(/<img\b[^>]*\salt="([^"]*)"/g)].map(([, alt = ""]) => alt))].filter(
    (alt) => isForeign(alt, to),
  );
  if (words.length === 0) return whole;
  const translated = await translate(words.map((alt) => oneLine(decoded(alt))));
  const known = new Map(words.map((alt, at) => [alt, htmlOfText(translated[at] ?? "")]));
  return whole.replace(
    /(<img\b[^>]*\salt=")([^"]*)"/g,
    (_, before: string, alt: string) => `${before}${known.get(alt) ?? alt}"`,
  );
}

/** Most characters of one call: services take some thousand bytes. */
const charactersAtOnce = 1800;

/** What stands in a text and is no word: where a value comes, as in `{time}`, and the bar before what a figure is about. */
const valuePattern = /\{\w+\}|\s*[|｜]\s*/g;

/** Translates a text without markup line by line. Places of values and bars between columns stay as they are. */
export async function translateText(text: string, to: Language, translate: TranslateLines): Promise<string> {
  const lines = text.split("\n").map((line): Line => {
    const markup: string[] = [];
    return { text: line.replace(valuePattern, (value) => mark(markup.push(value) - 1)), markup };
  });
  const built = await translateLines(lines, to, translate, plain);
  return lines.map((line) => (built.get(line) ?? "").trim()).join("\n");
}

/** Lines in groups that a translation service takes at once. */
export function groupsOf(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (characters + line.length > charactersAtOnce) {
      groups.push([]);
      characters = 0;
    }
    groups.at(-1)?.push(line);
    characters += line.length + 1;
  }
  return groups;
}

/**
 * Translates the lines of a proposal for a field: all of them or none, as a text in two languages reads as one that broke off.
 * @param address whose characters are counted
 */
export const proposedLines =
  (translate: LanguageService["translate"], to: Language, address: string, field: string): TranslateLines =>
  async (lines) => {
    const done: string[] = [];
    for (const group of groupsOf(lines)) {
      const { dst, untranslated } = await translate(group.join("\n"), to, address);
      const answered = dst.split("\n");
      if (untranslated || answered.length !== group.length) throw refuse("translation.none", { field });
      done.push(...answered);
    }
    return done;
  };
