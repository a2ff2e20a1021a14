import type { Language } from "../language/dictionary.ts";
import {
  type Accent,
  accents,
  type Density,
  densities,
  type Preferences,
  type Side,
  type Theme,
} from "./preferences.tsx";

const oneOf = <Value extends string>(value: string | undefined, allowed: readonly Value[], fallback: Value): Value =>
  allowed.find((candidate) => candidate === value) ?? fallback;

/** Reads a cookie header (or document.cookie) into its pairs. */
export function parseCookies(header: string): Record<string, string> {
  return Object.fromEntries(
    header
      .split(";")
      .map((pair) => pair.trim().split("=", 2))
      .filter((pair): pair is [string, string] => pair.length === 2),
  );
}

const parseLanguage = (value: string | null | undefined): Language | undefined =>
  value === "zh" || value === "en" ? value : undefined;

/** The language that the query of an address names; it wins over the remembered one. */
export const languageOf = (query: URLSearchParams): Language | undefined => parseLanguage(query.get("lang"));

/** The language that a request's address names. */
export const askedLanguage = (request: Request): Language | undefined => languageOf(new URL(request.url).searchParams);

/** Preferences out of cookies, with product.md's defaults: Chinese, system theme, light side menu. */
export function readPreferences(
  cookies: Record<string, string>,
): Omit<Preferences, "dictionary" | "dictionaryPart" | "nonce" | "appName" | "brand" | "records" | "contact"> {
  return {
    language: parseLanguage(cookies.langType) ?? "zh",
    theme: oneOf<Theme>(cookies.theme, ["light", "dark"], "system"),
    accent: oneOf<Accent>(cookies.accent, accents, "leaf"),
    density: oneOf<Density>(cookies.density, densities, "regular"),
    side: oneOf<Side>(cookies.sideMode, ["light", "dark"], "light"),
  };
}
