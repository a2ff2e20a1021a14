import { readFileSync } from "node:fs";
import { join } from "node:path";

const glossary = readFileSync(join(import.meta.dirname, "..", "..", "docs", "glossary.md"), "utf8");
const rowsOf = (heading: string): string[][] =>
  (glossary.split(`## ${heading}\n`)[1] ?? "")
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.split("|").map((cell) => cell.trim())) ?? [];

/** Words that texts do not use, with the term of the glossary; the glossary is the only place that names them. */
const avoided = rowsOf("Words that are not used").map(([, word = "", term = ""]) => ({ word, term }));
if (avoided.length === 0) throw new Error("docs/glossary.md names no words that are not used");

/** Longest sentence that is read once: characters in Chinese, words in English. */
const longest = { zh: 66, en: 34 };

type Fault = readonly [what: string, found: RegExp, ofTexts?: "text"];
const faults: Readonly<Record<"zh" | "en", readonly Fault[]>> = {
  zh: [
    ["punctuation of half width", /\p{Script=Han}[,;:?!](?=\p{Script=Han}|$)/u],
    ["points instead of an ellipsis", /\.{3}/],
    ["quotation marks that are straight", /"\p{Script=Han}|\p{Script=Han}"/u],
    ["doubled words", /的的|了了|是是|在在|和和|(?!一\p{Script=Han}一)(\p{Script=Han}{2,})\1/u],
    ["no space beside Latin letters", /\p{Script=Han}[A-Za-z]{2}|[A-Za-z]{2}\p{Script=Han}/u, "text"],
    ["a space before punctuation", / [，。；：？！、]/],
  ],
  en: [
    ["doubled words", /\b([a-z]{2,}) \1\b/i],
    ["points instead of an ellipsis", /\.{3}/],
    ["one of many", /\b1 (?:units|farms|houses|devices|alarms|orders|rows|days|hours|people|heads|records)\b/],
    ["a plural in brackets", /\w\(s\)/],
    ["no space before a unit", /\d(?:°C|kg|m³|ppm|Pa)\b/, "text"],
    ["a space before punctuation", /\w [,;:!?](?=\s|$)/],
    ["a placeholder that nothing filled", /\{\w+\}/],
  ],
};

/**
 * What is wrong with the words of a text, each with what it is; empty where nothing is.
 * @param isShown the text was read from a page, where a style may hold words apart
 */
export function wordFaults(text: string, language: "zh" | "en", isShown = false): string[] {
  // On a page, what stands in quotation marks is a value. Swine fever is the name of a disease.
  const said = (isShown ? text.replaceAll(/“[^”]*”/g, "“”") : text).replaceAll(/\bswine fever\b/gi, "disease").trim();
  const found = faults[language].flatMap(([what, pattern, ofTexts]) => {
    const hit = isShown && ofTexts ? null : pattern.exec(said);
    return hit ? [`${what}: ${hit[0]}`] : [];
  });
  for (const { word, term } of avoided) {
    const isLatin = /^[\w-]+$/.test(word);
    if (isLatin !== (language === "en")) continue;
    const hit = isLatin ? new RegExp(`\\b${word}s?\\b`, "i").test(said) : said.includes(word);
    if (hit) found.push(`${word} instead of ${term}`);
  }
  const sentences = said.split(language === "zh" ? /[。！？；\n]/ : /(?<=[.!?;])\s|\n/);
  for (const sentence of sentences) {
    // Somebody may write English on a Chinese page.
    const isChinese = /\p{Script=Han}/u.test(sentence);
    if (language === "zh" && !isChinese) continue;
    const length = language === "zh" ? [...sentence].length : sentence.split(/\s+/).length;
    if (length > longest[language]) found.push(`a sentence of ${length}: ${sentence}`);
  }
  return found;
}
