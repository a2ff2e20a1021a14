import { type HomeSection, type HomeWord, homeSectionNames, homeWords } from "@herdwise/contract";
import type { Translate } from "../../shared/language/use-language.ts";
import { blocksOf } from "../rich-text/body-diff.ts";

export type WordLanguage = "zh" | "en";

/** A written text of a section; "" where nobody wrote it. */
export const wordIn = ({ words }: HomeSection, name: string, language: WordLanguage): string =>
  words.find((word) => word.name === name)?.[language] ?? "";

/** The section with a text of a language. */
export function withWord(section: HomeSection, name: string, language: WordLanguage, text: string): HomeSection {
  const held = section.words.find((word) => word.name === name) ?? { name, zh: "", en: "" };
  const others = section.words.filter((word) => word.name !== name);
  const { unreviewed, ...words } = { ...held, [language]: text };
  // What a person changes is a person's.
  const word = unreviewed === undefined || unreviewed === language ? words : { ...words, unreviewed };
  return { ...section, words: word.zh === "" && word.en === "" ? others : [...others, word] };
}

/** Texts of a language that a machine translated and nobody has read or changed. */
export const unreadIn = (sections: readonly HomeSection[], language: WordLanguage): number =>
  sections.flatMap(({ words }) => words).filter(({ unreviewed }) => unreviewed === language).length;

/** The sections with one a place further up or down. The first stays the first. */
export function moved(sections: readonly HomeSection[], at: number, by: -1 | 1): readonly HomeSection[] {
  const [section, other] = [sections[at], sections[at + by]];
  if (section === undefined || other === undefined || at === 0 || at + by === 0) return sections;
  return sections.with(at, other).with(at + by, section);
}

/** The page in paragraphs, to be compared: each section with its state, then its texts in a language. */
export const linesOf = (sections: readonly HomeSection[], language: WordLanguage, t: Translate): string[] =>
  sections.flatMap((section, at) => {
    const words: readonly HomeWord[] = homeWords[section.id];
    const times = [section.from && `${t("从")} ${section.from}`, section.until && `${t("到")} ${section.until}`];
    return [
      [
        `${at + 1}. ${t(homeSectionNames[section.id])}`,
        t(section.shown ? "显示" : "隐藏"),
        ...times,
        section.link,
        section.cover,
      ]
        .filter(Boolean)
        .join(" · "),
      ...words.flatMap(({ name, label, rich }) => {
        const text = wordIn(section, name, language);
        if (text === "") return [];
        return rich ? blocksOf(text) : [`${t(label)}: ${text}`];
      }),
    ];
  });
