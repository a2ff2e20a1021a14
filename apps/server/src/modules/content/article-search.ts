/** Characters of a query and of a text as they are compared: full-width and half-width are one, and so are cases. */
const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Runs of Chinese characters, and words of letters and digits. */
const runPattern = /\p{Script=Han}+|[[\p{L}\p{N}]--[\p{Script=Han}]]+/gv;
const han = /^\p{Script=Han}/u;
const runsOf = (text: string): string[] => plain(text).match(runPattern) ?? [];

/** A place in a text beyond this one is kept as this one by the database. */
const lastPlace = 16_383;
const mostPlaces = 255;
/** A longer one is no word that somebody looks for. */
const longestWord = 60;

/**
 * What a text is found by, as the database's `tsvector`: of Chinese each pair of neighbours, and the last character of each run; of alphabets
 * each word.
 */
export function lexemesOf(texts: readonly string[]): string {
  const places = new Map<string, number[]>();
  let place = 0;
  const add = (lexeme: string): void => {
    place = Math.min(place + 1, lastPlace);
    const held = places.get(lexeme);
    if (held === undefined) places.set(lexeme, [place]);
    else if (held.length < mostPlaces) held.push(place);
  };
  for (const text of texts) {
    for (const run of runsOf(text)) {
      if (!han.test(run)) add(run.slice(0, longestWord));
      else {
        const characters = [...run];
        for (const [at, character] of characters.entries()) add(character + (characters[at + 1] ?? ""));
      }
      // Neighbours of one run are no neighbours of the next.
      place = Math.min(place + 1, lastPlace);
    }
  }
  return [...places].map(([lexeme, at]) => `'${lexeme}':${at.join(",")}`).join(" ");
}

/** One run as the database's `tsquery`: Chinese as it stands, a word of an alphabet as a beginning. */
function runQuery(run: string): string {
  if (!han.test(run)) return `'${run.slice(0, longestWord)}':*`;
  const characters = [...run];
  // A single one begins a pair or ends a run.
  if (characters.length === 1) return `'${run}':*`;
  const pairs = characters.slice(1).map((character, at) => `'${characters[at]}${character}'`);
  return pairs.length === 1 ? `${pairs[0]}` : `(${pairs.join(" <-> ")})`;
}

/** What is looked for as the database's `tsquery`: all of its runs. @returns undefined where it holds no letter and no digit */
export function searchQueryOf(keyword: string): string | undefined {
  const runs = [...new Set(runsOf(keyword))];
  return runs.length === 0 ? undefined : runs.map(runQuery).join(" & ");
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
/** Chinese words that a correction offers are of so many characters; with one wrong, a longer one still has its neighbours. */
const hanLengths = { least: 2, most: 4 };
/** Of shorter words of alphabets nearly all differ from each other in one letter. */
const leastLetters = 4;
const mostLetters = 24;

/** Words of a text that a correction may offer, each once. */
export function wordsOf(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const run of texts.flatMap(runsOf)) {
    if (!han.test(run)) {
      if (run.length >= leastLetters && run.length <= mostLetters && !/\d/.test(run)) found.add(run);
      continue;
    }
    const words = [...segmenter.segment(run)].map(({ segment }) => segment);
    for (const [at, word] of words.entries()) {
      const next = word + (words[at + 1] ?? "");
      // Two words beside each other are what people look for, such as 最小 and 通风.
      for (const one of [word, next]) {
        const { length } = [...one];
        if (length >= hanLengths.least && length <= hanLengths.most) found.add(one);
      }
    }
  }
  return [...found].sort();
}

/** A word and what is left of it without one of its characters. Words that differ in one character share one of these. */
export function formsOf(word: string): string[] {
  const characters = [...word];
  return [...new Set([word, ...characters.map((_, at) => characters.toSpliced(at, 1).join(""))])].filter(
    (form) => form !== "",
  );
}

/** Whether one word becomes the other by one character: another one, one more, one less, or two that change places. */
export function differInOne(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  if (one === other || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const rest = (of: readonly string[], from: number): string => of.slice(from).join("");
  if (a.length > b.length) return rest(a, at + 1) === rest(b, at);
  if (a.length < b.length) return rest(a, at) === rest(b, at + 1);
  if (rest(a, at + 1) === rest(b, at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2);
}

/** Parts of what was looked for in which a letter may be wrong, with where they stand in it. */
export function suspectsOf(keyword: string): { part: string; at: number }[] {
  const text = plain(keyword);
  return [...text.matchAll(runPattern)].flatMap(({ 0: run, index }) => {
    if (!han.test(run))
      return run.length >= leastLetters && run.length <= mostLetters ? [{ part: run, at: index }] : [];
    const characters = [...run];
    const parts: { part: string; at: number }[] = [];
    for (let length = hanLengths.most; length >= hanLengths.least; length -= 1)
      for (let from = 0; from + length <= characters.length; from += 1)
        parts.push({
          part: characters.slice(from, from + length).join(""),
          at: index + characters.slice(0, from).join("").length,
        });
    return parts;
  });
}

/** A word that a part may have been meant as. */
export interface Candidate {
  word: string;
  articles: number;
  /** The form that it shares with a part. */
  form: string;
}

/**
 * What may have been meant by a search that found nothing, if one letter of it is wrong.
 * @param candidates words that share a form with a part of it
 * @returns the likeliest first
 */
export function correctionsOf(keyword: string, candidates: readonly Candidate[], most: number): string[] {
  const text = plain(keyword);
  const found = suspectsOf(keyword).flatMap(({ part, at }) => {
    const forms = new Set(formsOf(part));
    return candidates
      .filter(({ word, form }) => forms.has(form) && differInOne(part, word))
      .map(({ word, articles }) => ({
        text: text.slice(0, at) + word + text.slice(at + part.length),
        // What is right around a letter tells more than how often a word is used.
        known: [...word].length,
        swapped: [...word].length === [...part].length,
        articles,
      }));
  });
  found.sort((a, b) => b.known - a.known || Number(b.swapped) - Number(a.swapped) || b.articles - a.articles);
  return [...new Set(found.map((one) => one.text))].filter((one) => one !== text).slice(0, most);
}

/** Whether a word is written in Chinese. */
export const isChinese = (word: string): boolean => han.test(word);

/** What was typed as pinyin, without blanks and marks; undefined where it can be none. */
export function speltOf(keyword: string): string | undefined {
  const text = plain(keyword).trim();
  return /^[a-zü' ]{2,40}$/.test(text) ? text.replaceAll("ü", "v").replace(/[' ]/g, "") : undefined;
}

/** Characters before and after what was found that an excerpt shows. */
const around = 36;

/** The words around what was looked for; "" where the text does not hold it. @param text without markup */
export function excerptOf(text: string, keyword: string): string {
  const low = text.toLowerCase();
  const at = searchTerms(keyword)
    .map((term) => low.indexOf(term))
    .find((place) => place >= 0);
  if (at === undefined) return "";
  const [from, to] = [Math.max(0, at - around), Math.min(text.length, at + 2 * around)];
  // Not from the middle of a word of an alphabet.
  const piece = text.slice(from, to);
  const whole = from > 0 ? piece.replace(/^[[\p{L}\p{N}]--[\p{Script=Han}]]+/v, "") : piece;
  return `${from > 0 ? "…" : ""}${whole.trim()}${to < text.length ? "…" : ""}`;
}

/** What is marked where it was found: the parts of a search between spaces, the longest first. */
export const searchTerms = (keyword: string): string[] =>
  [...new Set(keyword.toLowerCase().split(/\s+/).filter(Boolean))].sort((a, b) => b.length - a.length);
