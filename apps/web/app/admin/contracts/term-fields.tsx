import { mostTerms, type PriceTerm, type PriceTermInput, priceTermForm } from "@herdwise/contract";
import { checkRow, type Field } from "@herdwise/contract/resource";
import type { Problem } from "@herdwise/contract/rules";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { Problem as ProblemText } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { FieldInput } from "../../shared/resource/field-input.tsx";
import { type FormValue, type FormValues, fromForm, toForm } from "../../shared/resource/form-values.ts";

const fields = Object.entries(priceTermForm) as [name: string, field: Field][];

/** A price term as its inputs hold it. */
export const typedTerm = (term?: PriceTermInput): FormValues =>
  Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      term ? toForm(field, term[name as keyof PriceTermInput]) : name === "kind" ? "fixed" : "",
    ]),
  );

/** Price terms of the wire; a number that can't be read is left out, and the server names its field. */
export const termsOfTyped = (typed: readonly FormValues[]): PriceTermInput[] =>
  typed.map(
    (values) =>
      Object.fromEntries(
        fields.map(([name, field]) => [
          name,
          fromForm(field, values[name] ?? "") ?? (field.kind === "reference" ? "" : undefined),
        ]),
      ) as unknown as PriceTermInput,
  );

/** What is missing or mistyped in price terms, by `terms.<index>.<field>`, before the server is asked. */
export const problemsOfTyped = (typed: readonly FormValues[]): readonly Problem[] =>
  termsOfTyped(typed).flatMap((term, index) =>
    checkRow({ fields: priceTermForm }, term).map((problem) => ({
      ...problem,
      field: `terms.${index}.${problem.field}`,
    })),
  );

/** Typed price terms as the contract's text shows them; those that are not whole are left out. */
export const shownOfTyped = (typed: readonly FormValues[]): PriceTerm[] =>
  termsOfTyped(typed)
    .filter((term) => Object.values(term).every((value) => value !== undefined && !Number.isNaN(value)))
    .map((term) => ({ ...term, place: term.field !== "" || term.saleRegion !== "" ? "……" : "" }));

/** Price terms of a contract that sells pigs. */
export function TermFields({
  terms,
  problems,
  onChange,
}: {
  terms: readonly FormValues[];
  /** By `terms.<index>.<field>`. */
  problems: Readonly<Record<string, string>>;
  /** @param mended field whose problem is no longer one */
  onChange: (terms: FormValues[], mended?: string) => void;
}) {
  const t = useTranslate();
  const set = (index: number, name: string, value: FormValue): void =>
    onChange(
      terms.map((term, at) => (at === index ? { ...term, [name]: value } : term)),
      `terms.${index}.${name}`,
    );
  return (
    <section className={styles.terms} aria-labelledby="terms-title">
      <h2 id="terms-title">{t("价格条款")}</h2>
      <p className={styles.hint}>{t("写进合同正文最后一条；双方签署后，客户按它申报，直到数量用完。")}</p>
      <ProblemText id="terms-problem" text={problems.terms} />
      {terms.map((term, index) => (
        // Terms have no identity but their place.
        <fieldset key={`term-${index + 1}`} className={styles.term}>
          <legend>{t("第 {count} 条", { count: index + 1 })}</legend>
          <div className={styles.columns}>
            {fields.map(([name, field]) => (
              <FieldInput
                key={name}
                id={`term-${index}-${name}`}
                name={name}
                field={field}
                row={undefined}
                value={term[name] ?? ""}
                problem={problems[`terms.${index}.${name}`]}
                onChange={(value) => set(index, name, value)}
              />
            ))}
          </div>
          <Button icon="trash" onPress={() => onChange(terms.filter((_term, at) => at !== index))}>
            {t("删除这一条")}
          </Button>
        </fieldset>
      ))}
      {terms.length < mostTerms && (
        <Button icon="plus" onPress={() => onChange([...terms, typedTerm()])}>
          {t("加一条价格")}
        </Button>
      )}
    </section>
  );
}
