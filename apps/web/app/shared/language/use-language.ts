import { useCallback } from "react";
import { type Preferences, usePreferences } from "../preferences/preferences.tsx";
import { type Dictionary, type Language, translate } from "./dictionary.ts";
import type { Fillings } from "./fill.ts";
import { createFormats, type Formats } from "./format.ts";

export type Translate = (text: string, fillings?: Fillings) => string;

/** The brand's name in a language. */
const brandIn = (language: Language, { zh, en }: Pick<Preferences["brand"], "zh" | "en">): string =>
  (language === "en" && en) || zh;

/** The brand's name in the chosen language. */
export function useBrand(): string {
  const { language, brand } = usePreferences();
  return brandIn(language, brand);
}

/** `t("中文")`: the text in the chosen language. Keys are the Chinese texts themselves; `{brand}` in one is the brand's name. */
export function useTranslate(): Translate {
  const { dictionary } = usePreferences();
  const brand = useBrand();
  return useCallback((text, fillings) => translate(dictionary, text, { brand, ...fillings }), [dictionary, brand]);
}

let last: { language: Language; dictionary: Dictionary; formats: Formats } | undefined;

/** Numbers, ages and times in the chosen language: the same object for the thousand cells of a list, for it is dear to make. */
export function useFormats(): Formats {
  const { language, dictionary } = usePreferences();
  if (last?.language !== language || last.dictionary !== dictionary) {
    const formats = createFormats(language, (text, fillings) => translate(dictionary, text, fillings));
    last = { language, dictionary, formats };
  }
  return last.formats;
}

/** The chosen language. */
export const useLanguage = (): Language => usePreferences().language;
