import { type Fillings, fill } from "./fill.ts";
import { templateOf } from "./refusal-texts.ts";
import { translatePattern } from "./server-patterns.ts";

export type Language = "zh" | "en";
/** Chinese text to its translation. */
export type Dictionary = Readonly<Record<string, string>>;

/** What the pages before the log-in say, what the first screen and the overviews say, what drivers read on their phones, or everything; `site` is rendered by the server alone. */
export type DictionaryPart = "driver" | "entry" | "overviews" | "site" | "whole";

/** Where a language's dictionary lies. */
export const dictionaryPath = (language: Language, part: DictionaryPart): string =>
  part === "whole" || part === "site" ? `/i18n/i18n_${language}.json` : `/i18n/${part}/i18n_${language}.json`;

const loaded = new Map<string, Promise<Dictionary>>();

/** Fetches a dictionary once; Chinese is its own dictionary and needs no request. */
export function loadDictionary(language: Language, part: DictionaryPart): Promise<Dictionary> {
  if (language === "zh") return Promise.resolve({});
  const path = dictionaryPath(language, part);
  let pending = loaded.get(path);
  if (!pending) {
    pending = fetch(path).then(async (answer): Promise<Dictionary> => {
      if (!answer.ok) throw new Error(`dictionary ${path}: HTTP ${answer.status}`);
      return (await answer.json()) as Dictionary;
    });
    pending.catch(() => loaded.delete(path));
    loaded.set(path, pending);
  }
  return pending;
}

/** Looks a Chinese text up and fills its placeholders. Texts without a translation stay Chinese. */
export function translate(dictionary: Dictionary, text: string, fillings?: Fillings): string {
  const template = dictionary[text] === undefined ? templateOf(text) : undefined;
  if (template) {
    const values = Object.entries(template.values).map(([name, value]) => [name, dictionary[value] ?? value]);
    return fill(dictionary[template.text] ?? template.text, Object.fromEntries(values) as Fillings);
  }
  const found = dictionary[text] ?? translatePattern(dictionary, text) ?? text;
  return fillings || found.includes("|") ? fill(found, fillings ?? {}) : found;
}
