/** The clause by which contracts say their price terms, in both languages: plain functions without schemas. */
import { yuanText } from "./money.ts";
import type { PriceTerm } from "./price-term-rules.ts";
import { type SaleCategory, saleCategories } from "./shared.ts";

const englishNames: Readonly<Record<SaleCategory, string>> = {
  outer: "imported three-way pigs",
  inner: "domestic three-way pigs",
  local: "local pigs",
  piglet: "piglets",
  sow: "culled sows",
  boar: "culled boars",
};
const countText = (count: number): string => `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** The price of a term as contracts say it. */
function termPriceText({ kind, fen }: Pick<PriceTerm, "kind" | "fen">, language: "zh" | "en"): string {
  if (kind === "fixed") return language === "zh" ? `每公斤 ${yuanText(fen)} 元` : `CNY ${yuanText(fen)} per kg`;
  const difference = yuanText(Math.abs(fen));
  if (language === "en")
    return `the price that the platform published for the day of the order${fen === 0 ? "" : ` ${fen < 0 ? "less" : "plus"} CNY ${difference}`} per kg`;
  return `按申报当日平台公布的行情价${fen === 0 ? "" : `${fen < 0 ? "减" : "加"} ${difference} 元`}，每公斤计`;
}

/**
 * The clause by which a contract says its price terms; undefined without terms.
 * @param dayText how a contract writes a day
 */
export function termClause(
  terms: readonly PriceTerm[],
  language: "zh" | "en",
  dayText: (day: string) => string,
): { heading: string; body: string } | undefined {
  if (terms.length === 0) return undefined;
  const lines = terms.map((term, index) => {
    const { category, place, fromKg, toKg, heads, fromDay, toDay } = term;
    const price = termPriceText(term, language);
    if (language === "en")
      return `(${index + 1}) ${englishNames[category]}, ${place === "" ? "any field" : place}, mean weight ${fromKg} to ${toKg} kg: ${price}; ${countText(heads)} heads, loaded from ${dayText(fromDay)} to ${dayText(toDay)}.`;
    const name = saleCategories.find(([value]) => value === category)?.[1] ?? category;
    return `（${index + 1}）${name}，${place === "" ? "各场区" : place}，均重 ${fromKg} 至 ${toKg} kg：${price}；数量 ${countText(heads)} 头，装车日自 ${dayText(fromDay)}起，至 ${dayText(toDay)}止。`;
  });
  return { heading: language === "zh" ? "价格条款" : "Price terms", body: lines.join("\n") };
}
