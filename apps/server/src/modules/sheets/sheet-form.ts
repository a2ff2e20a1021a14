import { type SheetFault, SheetProblem } from "./sheet-limits.ts";

/** What a file is, by its first bytes: a compound file of Office 97, an archive, or text. */
export type FileForm = "compound" | "archive" | "text";

/** Files that people take for sheets, by the bytes they begin with, in hex. */
const others: readonly (readonly [start: string, fault: SheetFault])[] = [
  ["25504446", "pdf"],
  ["89504e47", "picture"],
  ["ffd8ff", "picture"],
  ["47494638", "picture"],
  ["424d", "picture"],
  ["52494646", "picture"],
  ["7b5c727466", "word"],
  ["526172211a07", "archive"],
  ["377abcaf271c", "archive"],
  ["1f8b", "archive"],
];

/**
 * Tells what a file is. @param start its first bytes, a kilobyte at least or the whole file
 * @throws {SheetProblem} for what is no sheet, naming what it is where that is known
 */
export function formOf(start: Buffer): FileForm {
  const hex = start.subarray(0, 8).toString("hex");
  if (hex === "d0cf11e0a1b11ae1") return "compound";
  if (hex.startsWith("504b0304")) return "archive";
  if (hex.startsWith("504b0506")) throw new SheetProblem("archive");
  const other = others.find(([bytes]) => hex.startsWith(bytes));
  if (other) throw new SheetProblem(other[1]);
  if (wideEncodingOf(start) === undefined && start.includes(0)) throw new SheetProblem("unreadable");
  return "text";
}

/** UTF-16 by its mark, or by the zero bytes beside its Latin signs. */
function wideEncodingOf(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const looked = Math.min(bytes.length, 1000);
  let [even, odd] = [0, 0];
  for (let at = 0; at < looked; at += 1) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  if (odd > looked / 20 && even === 0) return "utf-16le";
  if (even > looked / 20 && odd === 0) return "utf-16be";
  return undefined;
}

/**
 * Decodes a text: UTF-8 or UTF-16, else GB18030, in which Chinese programs write.
 * @throws {SheetProblem} when it is in none of them
 */
export function decodeText(bytes: Buffer): string {
  const wide = wideEncodingOf(bytes);
  for (const encoding of wide ? [wide] : ["utf-8", "gb18030"]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: texts have none of these, other files do
      if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) throw new SheetProblem("unreadable");
      return text;
    } catch (error) {
      if (error instanceof SheetProblem) throw error;
    }
  }
  throw new SheetProblem("unreadable");
}

/** Whether a text is a table of HTML, a workbook in XML 2003 or a flat OpenDocument sheet. */
export const isMarkup = (text: string): boolean =>
  /^\s*<(\?xml|!doctype|html|head|body|meta|table|!--|style|workbook|\?mso|office:document)/i.test(text);
