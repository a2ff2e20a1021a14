import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { usePreferences } from "../preferences/preferences.tsx";
import { translatePattern } from "./server-patterns.ts";
import { textsIn } from "./translations.ts";
import { isForeign } from "./use-translated.ts";

/**
 * Names that come as data, in the chosen language, where text alone fits: labels, titles, choices, words to search in. Until a
 * translation is known the name stands as it was entered. The function changes when more are known.
 */
export function useNames(): (source: string) => string {
  const { language, dictionary } = usePreferences();
  const texts = textsIn(language);
  const version = useSyncExternalStore(texts.subscribe, texts.version, () => 0);
  const missing = useRef(new Set<string>());
  useEffect(() => {
    for (const source of missing.current) texts.want(source);
    missing.current.clear();
  });
  // `version` stands for what `texts` holds.
  return useCallback(
    (source) => {
      const own = dictionary[source] ?? translatePattern(dictionary, source);
      if (own !== undefined || !isForeign(source, language)) return own ?? source;
      const found = texts.known(source);
      if (!found) missing.current.add(source);
      return found?.text ?? source;
    },
    [language, dictionary, texts, version],
  );
}
