import type { ContractDetail } from "@herdwise/contract";
import { Link } from "react-router";
import { useFormats, useTranslate } from "../language/use-language.ts";
import processStyles from "../process/process.module.css";
import { RowFacts } from "../process/process-page.tsx";

/** What is left of the price terms of a signed contract. @param path list of the terms that the reader may open */
export function TermUse({ terms, path }: { terms: ContractDetail["termUse"]; path: string }) {
  const t = useTranslate();
  const { number } = useFormats();
  if (terms.length === 0) return null;
  return (
    <section className={`card ${processStyles.side}`} aria-labelledby="term-use-title">
      <h2 id="term-use-title">{t("合同价还剩多少")}</h2>
      <RowFacts
        rows={terms.map(({ id, number: name, heads, leftHeads }) => [
          name,
          <Link key={id} className="link" to={`${path}?row=${id}`}>
            {t("还剩 {left} 头，共 {count} 头", { left: number(leftHeads), count: number(heads) })}
          </Link>,
        ])}
      />
    </section>
  );
}
