import { type DeclarationTerms, declarationTerms, saleCategories } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { Mark } from "../icons/mark.tsx";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import type { PreviewProps } from "../resource/input-props.ts";
import styles from "./plan-terms.module.css";

type Term = DeclarationTerms["terms"][number];

/** Why a term is not for the plan. */
const refusalWords: Readonly<Record<NonNullable<Term["refusal"]>, string>> = {
  none: "没有价格条款",
  ended: "合同已终止",
  category: "不是这个类别",
  place: "不含这个场区",
  weight: "均重不符",
  period: "装车日不在期限内",
  used: "数量已用完",
};

function TermLine({ term }: { term: Term }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { refusal, category, place, fromKg, toKg, fenPerKg, kind, fen, freeHeads, leftHeads, fromDay, toDay } = term;
  const name = saleCategories.find(([value]) => value === category)?.[1] ?? category;
  const difference = kind === "board" ? `${t("随行情价")} ${fen < 0 ? "−" : "+"}${yuanText(Math.abs(fen))}` : "";
  return (
    <li data-fits={refusal === undefined || undefined}>
      <b>
        {t(name)}
        {place !== "" && (
          <>
            {" · "}
            <Translated text={place} />
          </>
        )}
      </b>
      <span className="num">
        {fenPerKg === undefined
          ? difference || `${yuanText(fen)} ${t("元/kg")}`
          : `${yuanText(fenPerKg)} ${t("元/kg")}${difference && ` (${difference})`}`}
      </span>
      <span className="num">
        {fromKg}–{toKg} kg · {t("{from} 至 {until}", { from: fromDay, until: toDay })}
      </span>
      <span className={refusal === undefined ? "state ok" : "state off"}>
        <Mark name={refusal === undefined ? "ok" : "off"} />
        {refusal === undefined
          ? t("还能申报 {free} 头（还剩 {left} 头）", { free: number(freeHeads), left: number(leftHeads) })
          : t(refusalWords[refusal])}
      </span>
      <small className="num">{term.number}</small>
    </li>
  );
}

/** The customer's own terms for a plan, and whether it is sold at the contract's price; nothing is asked without a plan. */
export const usePlanTerms = (plan: string) =>
  useQuery({
    queryKey: ["declaration", "terms", plan],
    queryFn: ({ signal }) => call(declarationTerms, { query: { plan }, signal, quiet: true }),
    enabled: plan !== "",
    staleTime: 0,
  });

/** Below the form of a declaration: for a plan at the contract's price the customer's own terms with what is left of them. */
export function PlanTerms({ values }: PreviewProps) {
  const t = useTranslate();
  const plan = typeof values.plan === "string" ? values.plan : "";
  const { data } = usePlanTerms(plan);
  if (!data?.byContract) return null;
  return (
    <section className={styles.terms} aria-label={t("您的合同价")}>
      <h3>{t("您的合同价")}</h3>
      {data.terms.length === 0 ? (
        <p className="mut">{t("您没有签过带价格条款的合同，不能按合同价申报")}</p>
      ) : (
        <ul>
          {data.terms.map((term) => (
            <TermLine key={term.id} term={term} />
          ))}
        </ul>
      )}
    </section>
  );
}
