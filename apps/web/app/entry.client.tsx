import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { dictionaryPartOf } from "./screens.ts";
import { loadDictionary } from "./shared/language/dictionary.ts";
import { PreferenceProvider, type Preferences } from "./shared/preferences/preferences.tsx";
import { parseCookies, readPreferences } from "./shared/preferences/read-preferences.ts";
import { unknownBrand } from "./shared/session/title.ts";

// The server wrote the page's language into <html>; the dictionary must be here before React compares the two.
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const part = dictionaryPartOf(location.pathname);
// In Chinese there is nothing to fetch later, and what is no page of the site after all has everything.
const dictionaryPart = part === "site" || (part === "overviews" && language === "zh") ? "whole" : part;
const dictionary = await loadDictionary(language, dictionaryPart).catch(() => ({}));
const said = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? "";
const appName = said("application-name");
const brand = said("brand") === "" ? unknownBrand : (JSON.parse(said("brand")) as Preferences["brand"]);
const remembered = readPreferences(parseCookies(document.cookie));
// Records and ways to reach the group stand on pages that the server draws alone.
const initial: Omit<Preferences, "records" | "contact"> = {
  ...remembered,
  language,
  dictionary,
  dictionaryPart,
  appName,
  brand,
  nonce: undefined,
};

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <PreferenceProvider initial={initial as Preferences}>
        <HydratedRouter />
      </PreferenceProvider>
    </StrictMode>,
  );
});
