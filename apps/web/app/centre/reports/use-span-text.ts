import { useFormats, useTranslate } from "../../shared/language/use-language.ts";

/** A time that something took, in hours and minutes. */
export function useSpanText(): (seconds: number | undefined) => string {
  const t = useTranslate();
  const { number } = useFormats();
  return (seconds) => {
    if (seconds === undefined) return "--";
    if (seconds < 90) return t("{count} 秒", { count: Math.round(seconds) });
    if (seconds < 5400) return t("{count} 分钟", { count: Math.round(seconds / 60) });
    return t("{count} 小时", { count: number(seconds / 3600, seconds < 36_000 ? 1 : 0) });
  };
}
