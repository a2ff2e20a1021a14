/** Matches from the best on: the whole, its beginning, the beginning of another line, a part of the name, a part of anything. */
const ranks = { whole: 0, begins: 1, lineBegins: 2, part: 3, rest: 4 } as const;

/**
 * How well a thing matches what was typed; less is better.
 * @param words lines in lower case, with an apostrophe between syllables of pinyin
 * @param typed words in lower case
 */
export function rankOf({ title, words }: { title: string; words: string }, typed: readonly string[]): number {
  const text = typed.join(" ");
  const whole = typed.join("");
  const lines = words.split("\n").map((line) => line.replaceAll("'", ""));
  if (lines.includes(text) || lines.includes(whole)) return ranks.whole;
  if (title.startsWith(text)) return ranks.begins;
  if (lines.some((line) => line.startsWith(whole))) return ranks.lineBegins;
  if (typed.every((word) => title.includes(word))) return ranks.part;
  return ranks.rest;
}
