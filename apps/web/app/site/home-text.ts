import { type HomeWord, homeWords, type ShownSection } from "@herdwise/contract";
import { type Fillings, fill } from "../shared/language/fill.ts";

/** A text of a section, "" where there is none. */
export type HomeText = (name: string, fillings?: Fillings) => string;

/** The texts of a section: what editors wrote, and the standard ones for the rest. @param brand stands where a text has `{brand}` */
export function homeText(
  { id, words }: Pick<ShownSection, "id" | "words">,
  language: "zh" | "en",
  brand: string,
): HomeText {
  const standard: readonly HomeWord[] = homeWords[id];
  return (name, fillings = {}) => {
    const written = words.find((word) => word.name === name)?.text;
    return fill(written ?? standard.find((word) => word.name === name)?.[language] ?? "", { brand, ...fillings });
  };
}

/** Whether editors wrote a text of a section. */
export const isWritten = ({ words }: Pick<ShownSection, "words">, name: string): boolean =>
  words.some((word) => word.name === name);
