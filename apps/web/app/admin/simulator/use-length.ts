import { useFormats, useTranslate } from "../../shared/language/use-language.ts";

/** Writes a length of time given in seconds: in minutes up to two hours. */
export function useLength(): (seconds: number) => string {
  const t = useTranslate();
  const { number } = useFormats();
  return (seconds) =>
    seconds < 7200
      ? t("{count} 分钟", { count: number(Math.ceil(seconds / 60)) })
      : t("{count} 小时", { count: number(seconds / 3600, Number.isInteger(seconds / 3600) ? 0 : 1) });
}
