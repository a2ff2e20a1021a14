import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Script, scriptCharacters } from "@herdwise/contract/script-characters";
import PDFDocument from "pdfkit";

/** Noto Sans Hans, of which only the characters that a page shows go into the file. Its package names no files of its own. */
const folder = join(dirname(createRequire(import.meta.url).resolve("@embedpdf/fonts-sc")), "..", "fonts");
export const paperFonts = {
  plain: join(folder, "NotoSansHans-Regular.otf"),
  strong: join(folder, "NotoSansHans-Bold.otf"),
} as const;

/** Characters that a font of papers has. */
export function charactersOf(font: keyof typeof paperFonts): ReadonlySet<number> {
  const document = new PDFDocument({ autoFirstPage: false }).font(paperFonts[font]);
  return new Set((document as unknown as { _font: { font: { characterSet: number[] } } })._font.font.characterSet);
}

let held: ReadonlySet<number> | undefined;
const isHeld = (character: string): boolean => {
  held ??= charactersOf("plain");
  return held.has(character.codePointAt(0) ?? 0);
};

const onOneLine = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\t\p{Zs}]/gu, (space) => (isHeld(space) && space !== "\t" ? space : " "))
    // What shows nothing: joiners, marks of direction, choices between the looks of a character.
    .replace(/[\p{Cf}\p{VS}]|(?!\n)\p{Cc}/gu, "");

const canDraw = (character: string): boolean =>
  character === "\n" || isHeld(character) || scriptCharacters.has(character);

/** The characters of a text that no paper can show, each once. */
export const undrawable = (text: string): string[] => [
  ...new Set([...onOneLine(text)].filter((character) => !canDraw(character))),
];

/** A text as a paper shows it: what no font has is named by its number, so that no box stands for words that nobody knows. */
export const drawnText = (text: string): string =>
  [...onOneLine(text)]
    .map((character) =>
      canDraw(character)
        ? character
        : `〔U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}〕`,
    )
    .join("");

/** A part of a line: on the line, raised or lowered. */
export interface Run {
  text: string;
  /** What is drawn for it. */
  drawn: string;
  script?: Script;
}

/** The parts of a line that are drawn in one size; raised and lowered ones, which the font has few of, as smaller ones of the line. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const moved = scriptCharacters.get(character);
    const last = runs.at(-1);
    if (last && last.script === moved?.script) {
      last.text += character;
      last.drawn += moved?.plain ?? character;
    } else runs.push({ text: character, drawn: moved?.plain ?? character, ...(moved && { script: moved.script }) });
  }
  return runs;
}
