import { useTranslate } from "./use-language.ts";

/** How long something took or waits, in the largest unit that says it: minutes, from an hour hours, from two days days. */
export function useDuration(): (ms: number) => string {
  const t = useTranslate();
  return (ms) => {
    const minutes = Math.max(0, Math.floor(ms / 60_000));
    if (minutes < 60) return t("{count} 分钟", { count: minutes });
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? t("{count} 小时", { count: hours }) : t("{count} 天", { count: Math.floor(hours / 24) });
  };
}
