import { useLanguage, useTranslate } from "./use-language.ts";

interface Named {
  readonly one: string;
  readonly oneEn?: string;
}

/** Tells what one row is called. Chinese may have the same word for one and for many, English not. */
export function useOneOf(): (words: Named) => string {
  const t = useTranslate();
  const isEnglish = useLanguage() === "en";
  return ({ one, oneEn }) => (isEnglish && oneEn !== undefined ? oneEn : t(one));
}

/** What one row of a resource is called. */
export const useOne = (words: Named): string => useOneOf()(words);
