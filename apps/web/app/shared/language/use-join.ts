import { useLanguage } from "./use-language.ts";

/** Joins names to a list, as the chosen language writes it. */
export function useJoin(): (names: readonly string[]) => string {
  const between = useLanguage() === "zh" ? "、" : ", ";
  return (names) => names.join(between);
}
