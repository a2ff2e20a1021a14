import { createHash } from "node:crypto";

/** A piece of SQL that is kept as it is (quoted text, a name in quotes, a body between dollars), a comment, or blanks. */
const pieces =
  /(?<kept>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<dollars>\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$)[\s\S]*?\k<dollars>)|(?:--[^\n]*|\/\*[\s\S]*?\*\/|\s)+/g;

/** SQL without comments and with one blank where there were several, so that only what the database does is left. */
export function plainSql(text: string): string {
  let end = 0;
  let plain = "";
  for (const match of text.matchAll(pieces)) {
    plain += text.slice(end, match.index) + (match.groups?.kept ?? " ");
    end = match.index + match[0].length;
  }
  return (plain + text.slice(end)).trim();
}

/** Sum of what a migration does: comments, blanks and line ends do not count. */
export const sumOf = (text: string): string => createHash("sha256").update(plainSql(text)).digest("hex");

/** Sums of a migration that was once released: what it does, and those of the whole text that releases before 0.2.0 wrote. */
export interface ListedSums {
  readonly sum: string;
  readonly earlier: readonly string[];
}

/** Reads the list of sums: a line for each migration with its name, its sum, and sums that earlier releases wrote. */
export function readSums(list: string): ReadonlyMap<string, ListedSums> {
  const lines = list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [name = "", sum = "", ...earlier] = line.split(" ");
      return [name, { sum, earlier }];
    }),
  );
}
