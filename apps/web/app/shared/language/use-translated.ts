import { useEffect, useState, useSyncExternalStore } from "react";
import { usePreferences } from "../preferences/preferences.tsx";
import { type DataText, knownText, onTexts, wantText } from "./translations.ts";

/** decisions.md 4: then Chinese shows. */
const hiddenAtMostMs = 300;
const han = /\p{Script=Han}/u;

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
  const own = dictionary[source];
  const foreign = own === undefined && language !== "zh" && han.test(source) && !source.includes("\n");
  const found = useSyncExternalStore(
    onTexts,
    () => (foreign ? knownText(source, language) : undefined),
    () => undefined,
  );
  const [waited, setWaited] = useState(false);
  const missing = foreign && found === undefined;
  useEffect(() => {
    if (!missing) return;
    wantText(source, language);
    const timer = setTimeout(() => setWaited(true), hiddenAtMostMs);
    return () => clearTimeout(timer);
  }, [missing, source, language]);
  if (own !== undefined) return { text: own, machine: false, hidden: false };
  return found && foreign ? { ...found, hidden: false } : { text: source, machine: false, hidden: missing && !waited };
}
