import { useLanguage } from "./use-language.ts";

const separators = { names: { zh: "、", en: ", " }, clauses: { zh: "；", en: "; " } } as const;

/** Joins names to a list, or clauses to a sentence, as the chosen language writes it. */
export function useJoin(what: keyof typeof separators = "names"): (parts: readonly string[]) => string {
  const between = separators[what][useLanguage()];
  return (parts) => parts.join(between);
}
