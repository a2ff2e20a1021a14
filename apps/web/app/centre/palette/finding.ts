import PinyinMatch from "pinyin-match";

/** A text in both languages of the product, under which something is found. */
export interface Names {
  readonly zh: string;
  readonly en: string;
}

const holds = ({ zh, en }: Names, word: string): boolean =>
  zh.toLowerCase().includes(word) || en.toLowerCase().includes(word) || PinyinMatch.match(zh, word) !== false;

/** Better matches are less: from the beginning of a name, at the beginning of a word of it, anywhere. */
function rankOf({ zh, en }: Names, text: string): number {
  const english = en.toLowerCase();
  if (zh.toLowerCase().startsWith(text) || english.startsWith(text)) return 0;
  const spoken = PinyinMatch.match(zh, text);
  if (spoken !== false && spoken[0] === 0) return 1;
  if (english.includes(` ${text}`)) return 2;
  return spoken === false ? 4 : 3;
}

/**
 * Of these things those that have every word that was typed, in Chinese, English or pinyin, the best first.
 * @param namesOf the name, and further texts that count for less
 */
export function matching<Thing>(
  things: readonly Thing[],
  typed: string,
  namesOf: (thing: Thing) => readonly [Names, ...Names[]],
): Thing[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return things
    .flatMap((thing, at) => {
      const names = namesOf(thing);
      if (!words.every((word) => names.some((one) => holds(one, word)))) return [];
      const isNamed = words.every((word) => holds(names[0], word));
      return [{ thing, at, rank: isNamed ? rankOf(names[0], text) : 5 }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ thing }) => thing);
}

/** What "屏蔽 1 号育肥舍" asks for, in whatever word: the words behind the verb; undefined for any other text. */
export const mutedIn = (text: string): string | undefined =>
  /^\s*(?:静音|屏蔽|jingyin|pingbi|mute|silence|mask)\s+(\S.*)$|^\s*(?:静音|屏蔽)(\S.*)$/i
    .exec(text)
    ?.slice(1)
    .find((rest) => rest !== undefined);
