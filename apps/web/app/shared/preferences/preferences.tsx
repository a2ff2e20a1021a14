import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { type Dictionary, type DictionaryPart, type Language, loadDictionary } from "../language/dictionary.ts";

export type Theme = "system" | "light" | "dark";
export const accents = ["leaf", "water", "clay"] as const;
export type Accent = (typeof accents)[number];
export const densities = ["regular", "compact", "barn"] as const;
export type Density = (typeof densities)[number];
export type Side = "light" | "dark";

export interface Preferences {
  language: Language;
  dictionary: Dictionary;
  dictionaryPart: DictionaryPart;
  theme: Theme;
  accent: Accent;
  density: Density;
  /** Side menu in the page's colours or in pine (sideMode of product.md 3). */
  side: Side;
  /** Brand and company suffix of the public settings, for titles; "" when they could not be learnt. */
  appName: string;
  /** Names, main colours and logos of the brand as the settings have them; a colour or an address is "" for the portal's own. */
  brand: {
    zh: string;
    en: string;
    light: string;
    dark: string;
    logos: { light: string; dark: string; icon: string };
  };
  /** Records of the website that its footer has to show; the browser's side, which draws no footer, knows none. */
  records: { icp: string; police: string };
  /** How the group is reached, in the page's language; as the records, for pages that the server draws alone. */
  contact: {
    company: string;
    service: string;
    sales: string;
    /** Absent where the settings could not be learnt. */
    hours?: { weekday: string; weekend: string; worked: readonly boolean[] };
    place: string;
  };
  /** CSP nonce of this response; unknown to the browser's side. */
  nonce: string | undefined;
}

interface PreferenceStore extends Preferences {
  /** Loads the dictionary first, so that no half-translated screen shows. */
  setLanguage: (language: Language) => Promise<void>;
  /** Replaces the texts of the pages before the log-in by all; without a network those stay. */
  loadWholeDictionary: () => Promise<void>;
  setTheme: (theme: "light" | "dark") => void;
  setAccent: (accent: Accent) => void;
  setDensity: (density: Density) => void;
  setSide: (side: Side) => void;
}

const PreferenceContext = createContext<PreferenceStore | undefined>(undefined);

const oneYearSeconds = 31_536_000;

/** Remembers a preference for this browser (localStorage) and for the server's first paint (cookie). */
function remember(key: string, value: string): void {
  const secure = location.protocol === "https:" ? ";secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari 16 and Firefox of farm phones.
  document.cookie = `${key}=${value};path=/;max-age=${oneYearSeconds};samesite=lax${secure}`;
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or forbidden; the cookie still remembers.
  }
}

/** Holds language, theme, accent and density for the tree below. */
export function PreferenceProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [state, setState] = useState(initial);
  const apply = useCallback((key: string, attribute: string, value: string, change: Partial<Preferences>) => {
    document.documentElement.setAttribute(attribute, value);
    remember(key, value);
    setState((now) => ({ ...now, ...change }));
  }, []);
  const store = useMemo<PreferenceStore>(
    () => ({
      ...state,
      setLanguage: async (language) => {
        const dictionary = await loadDictionary(language, state.dictionaryPart);
        apply("langType", "lang", language, { language, dictionary });
        document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
      },
      loadWholeDictionary: async () => {
        const dictionary = await loadDictionary(state.language, "whole").catch(() => state.dictionary);
        setState((now) => ({ ...now, dictionary, dictionaryPart: "whole" }));
      },
      setTheme: (theme) => apply("theme", "data-theme", theme, { theme }),
      setAccent: (accent) => apply("accent", "data-accent", accent, { accent }),
      setDensity: (density) => apply("density", "data-density", density, { density }),
      setSide: (side) => apply("sideMode", "data-side", side, { side }),
    }),
    [state, apply],
  );
  return <PreferenceContext value={store}>{children}</PreferenceContext>;
}

/** Language, theme, accent and density with their setters. */
export function usePreferences(): PreferenceStore {
  const store = useContext(PreferenceContext);
  if (!store) throw new Error("PreferenceProvider is missing above this component");
  return store;
}
