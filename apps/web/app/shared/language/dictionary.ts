import { type Fillings, fill } from "./fill.ts";
import { translatePattern } from "./server-patterns.ts";

export type Language = "zh" | "en";
/** Chinese text to its translation. */
export type Dictionary = Readonly<Record<string, string>>;

/** Where a language's dictionary lies. */
export const dictionaryPath = (language: Language): string => `/i18n/i18n_${language}.json`;

const loaded = new Map<Language, Promise<Dictionary>>();

/** Fetches the dictionary of a language once; Chinese is its own dictionary and needs no request. */
export function loadDictionary(language: Language): Promise<Dictionary> {
  if (language === "zh") return Promise.resolve({});
  let pending = loaded.get(language);
  if (!pending) {
    pending = fetch(dictionaryPath(language)).then(async (answer): Promise<Dictionary> => {
      if (!answer.ok) throw new Error(`dictionary ${language}: HTTP ${answer.status}`);
      return answer.json();
    });
    pending.catch(() => loaded.delete(language));
    loaded.set(language, pending);
  }
  return pending;
}

/** Looks a Chinese text up and fills its placeholders. Texts without a translation stay Chinese. */
export function translate(dictionary: Dictionary, text: string, fillings?: Fillings): string {
  const found = dictionary[text] ?? translatePattern(dictionary, text) ?? text;
  return fillings ? fill(found, fillings) : found;
}
