import { useEffect, useState, useSyncExternalStore } from "react";
import { usePreferences } from "../preferences/preferences.tsx";
import type { Language } from "./dictionary.ts";
import { translatePattern } from "./server-patterns.ts";
import { type DataText, textsIn } from "./translations.ts";

/** decisions.md 4: then Chinese shows. */
const hiddenAtMostMs = 300;
const han = /\p{Script=Han}/u;

/** Whether a text that was entered in Chinese is looked at in another language. Texts of several lines are articles. */
export const isForeign = (source: string, language: Language): boolean =>
  language !== "zh" && han.test(source) && !source.includes("\n");

export interface Translated extends DataText {
  /** Still to come: keep the place, hide the text. */
  hidden: boolean;
}

/**
 * A text that comes as data (a farm's or house's name) in the chosen language: from the dictionary, then from the
 * translation call. Chinese is shown as it was entered.
 */
export function useTranslated(source: string): Translated {
  const { language, dictionary } = usePreferences();
  const own = dictionary[source] ?? translatePattern(dictionary, source);
  const foreign = own === undefined && isForeign(source, language);
  const texts = textsIn(language);
  const found = useSyncExternalStore(
    texts.subscribe,
    () => (foreign ? texts.known(source) : undefined),
    () => undefined,
  );
  const [waited, setWaited] = useState(false);
  const missing = foreign && found === undefined;
  useEffect(() => {
    if (!missing) return;
    texts.want(source);
    const timer = setTimeout(() => setWaited(true), hiddenAtMostMs);
    return () => clearTimeout(timer);
  }, [missing, source, texts]);
  if (own !== undefined) return { text: own, machine: false, hidden: false };
  return found && foreign ? { ...found, hidden: false } : { text: source, machine: false, hidden: missing && !waited };
}
