import { useLanguage } from "../language/use-language.ts";

/** A day in Shanghai without its year, in words. */
export function useDay(): (day: string) => string {
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: "UTC",
    month: "long",
    day: "numeric",
  });
  return (day) => (day === "" ? "" : format.format(Date.parse(`${day}T00:00:00Z`)));
}
