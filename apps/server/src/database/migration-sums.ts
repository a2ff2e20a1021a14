import { createHash } from "node:crypto";

/** A part of SQL: a literal to keep unchanged (quoted text, quoted name, dollar-quoted body), a comment, or white space. */
const pieces =
  /(?<kept>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<dollars>\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$)[\s\S]*?\k<dollars>)|(?:--[^\n]*|\/\*[\s\S]*?\*\/|\s)+/g;

/** SQL without comments and with white space reduced to single spaces. */
export function plainSql(text: string): string {
  let end = 0;
  let plain = "";
  for (const match of text.matchAll(pieces)) {
    plain += text.slice(end, match.index) + (match.groups?.kept ?? " ");
    end = match.index + match[0].length;
  }
  return (plain + text.slice(end)).trim();
}

/** Checksum of a migration, which ignores comments, white space and line ends. */
export const sumOf = (text: string): string => createHash("sha256").update(plainSql(text)).digest("hex");

/** Checksums of a released migration: the current form, and those of the whole text that releases before 0.2.0 wrote. */
export interface ListedSums {
  readonly sum: string;
  readonly earlier: readonly string[];
}

/** Reads the list of checksums: one line for each migration with its name, its checksum, and checksums by earlier releases. */
export function readSums(list: string): ReadonlyMap<string, ListedSums> {
  const lines = list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [name = "", sum = "", ...earlier] = line.split(" ");
      return [name, { sum, earlier }];
    }),
  );
}
