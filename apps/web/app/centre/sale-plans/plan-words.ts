import type { BoardPlan, PlanConflictKind } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useMemo } from "react";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";

/** Chinese names of the kinds of conflicts. */
export const conflictNames: Readonly<Record<PlanConflictKind, string>> = {
  no_slot: "当天不装车",
  over_capacity: "超车位",
  no_band: "缺体重段",
  no_price: "缺价格",
};

/** State of a card; a plan that is sold out is still published. */
export const cardState = ({ state, taken, heads }: BoardPlan): BoardPlan["state"] | "sold" =>
  state === "published" && taken >= heads ? "sold" : state;

/** What several plans may be sent through at once, by the state that they are in. */
export const bulkEvents = { draft: "approve", approved: "publish" } as const;
/** Whether a plan may be chosen for them. */
export const isChoosable = ({ state }: BoardPlan): boolean => state in bulkEvents;

/** Days, weights and plans in words. @param of the declaration of sale plans */
export function usePlanWords(of: ResourceDeclaration) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  return useMemo(() => {
    const locale = language === "zh" ? "zh-CN" : "en-GB";
    const format = (options: Intl.DateTimeFormatOptions) => {
      const made = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
      return (day: string): string => made.format(Date.parse(`${day}T00:00:00Z`));
    };
    const shortDay = format({ day: "numeric", month: "short" });
    const choiceOf =
      (field: string) =>
      (value: string): string => {
        const declared = of.fields[field];
        const options = declared?.kind === "choice" ? (declared.options ?? []) : [];
        return t(options.find(([known]) => known === value)?.[1] ?? value);
      };
    const category = choiceOf("category");
    const kg = ({ fromKg, toKg }: BoardPlan): string => `${fromKg}–${toKg} kg`;
    return {
      /** Month and day. */
      day: (day: string): string =>
        language === "zh" ? `${Number(day.slice(5, 7))}-${Number(day.slice(8))}` : shortDay(day),
      weekday: format({ weekday: "short" }),
      /** As short as the language allows. */
      narrowWeekday: format({ weekday: language === "zh" ? "narrow" : "short" }),
      category,
      mode: choiceOf("mode"),
      state: (plan: BoardPlan): string => {
        const state = cardState(plan);
        return t(state === "sold" ? "售完" : (of.process?.states[state]?.word ?? state));
      },
      kg,
      heads: (count: number): string => t("{count} 头", { count: number(count) }),
      plan: (plan: BoardPlan): string =>
        t("{category} {kg} {heads} 头", {
          category: category(plan.category),
          kg: kg(plan),
          heads: number(plan.heads),
        }),
    };
  }, [of, t, language, number]);
}
export type PlanWords = ReturnType<typeof usePlanWords>;
