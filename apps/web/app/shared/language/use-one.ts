import { useLanguage, useTranslate } from "./use-language.ts";

/** What one row is called. Chinese may have the same word for one and for many, English not. */
export function useOne({ one, oneEn }: { readonly one: string; readonly oneEn?: string }): string {
  const t = useTranslate();
  return useLanguage() === "en" && oneEn !== undefined ? oneEn : t(one);
}
