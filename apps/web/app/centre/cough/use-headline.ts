import { type CoughAdvice, coughLimits } from "@herdwise/contract";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";

/** What a unit's coughing comes to, in one sentence. */
export function useHeadline(ammoniaLimit: number | undefined): (advice: CoughAdvice) => string {
  const t = useTranslate();
  const { number } = useFormats();
  return ({ index, baseline, alert, trend, state, ammonia, swing }) => {
    if (index === undefined) return t("近 24 小时听到的太少，说不了咳嗽多不多");
    if (state === "watch" && trend !== "rising" && ammonia && ammonia.hoursAbove > 0)
      return t("氨气有 {hours} 小时过了 {limit} ppm", { hours: ammonia.hoursAbove, limit: ammoniaLimit ?? "--" });
    if (state === "watch" && trend !== "rising" && swing && swing.range > coughLimits.swing)
      return t("24 小时里温度差了 {range} ℃", { range: number(swing.range, 1) });
    if (baseline === undefined || baseline === 0)
      return trend === "rising" ? t("咳嗽近 3 天在升") : t("还在学平常咳多少，要满 7 天");
    const times = number(index / baseline, 1);
    if (state === "act-now" || index / baseline >= 2) return t("咳嗽是平常的 {times} 倍", { times });
    if (alert !== undefined && index > alert) return t("咳嗽高过平常的波动，是平常的 {times} 倍", { times });
    if (trend === "rising") return t("咳嗽在升，还没有高过平常的波动");
    return trend === "falling" ? t("咳嗽在降") : t("咳嗽和平常一样");
  };
}
