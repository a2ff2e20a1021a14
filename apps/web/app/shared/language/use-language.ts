import { useCallback, useMemo } from "react";
import { usePreferences } from "../preferences/preferences.tsx";
import { type Language, translate } from "./dictionary.ts";
import type { Fillings } from "./fill.ts";
import { createFormats, type Formats } from "./format.ts";

export type Translate = (text: string, fillings?: Fillings) => string;

/** `t("中文")`: the text in the chosen language. Keys are the Chinese texts themselves. */
export function useTranslate(): Translate {
  const { dictionary } = usePreferences();
  return useCallback((text, fillings) => translate(dictionary, text, fillings), [dictionary]);
}

/** Numbers, ages and times in the chosen language. */
export function useFormats(): Formats {
  const { language } = usePreferences();
  const t = useTranslate();
  return useMemo(() => createFormats(language, t), [language, t]);
}

/** The chosen language. */
export const useLanguage = (): Language => usePreferences().language;
