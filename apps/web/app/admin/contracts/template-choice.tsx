import type { DraftableTemplate } from "@herdwise/contract";
import { type ContractForm, clauseNumber, paperOf } from "@herdwise/contract/contract-text";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { kindWords } from "../../shared/contracts/words.ts";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";

interface TemplateChoiceProps {
  templates: readonly DraftableTemplate[];
  onChoose: (id: string) => void;
}

/** Clauses of which a small sheet shows the beginning. */
const shownClauses = 4;

/** The templates as small sheets, of which one is chosen. */
export function TemplateChoice({ templates, onChoose }: TemplateChoiceProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const language = useLanguage();
  return (
    <section className={`card ${styles.sheets}`} aria-labelledby="template-choice">
      <h2 id="template-choice">{t("用哪个模板")}</h2>
      <ul>
        {templates.map(({ id, templateName, kind, versionNumber, form }) => {
          const { title, clauses } = paperOf(form as ContractForm, {}, language);
          return (
            <li key={id}>
              <button type="button" onClick={() => onChoose(id)}>
                <span className={styles.miniature} aria-hidden="true">
                  <b>{title}</b>
                  {clauses.slice(0, shownClauses).map(({ heading, body }, index) => (
                    <span key={clauseNumber(index, language)}>
                      <i>
                        {clauseNumber(index, language)} {heading}
                      </i>
                      {language === "en" ? body.replaceAll("＿", "_") : body}
                    </span>
                  ))}
                </span>
                <b>{nameOf(templateName)}</b>
                <small>
                  {t(kindWords[kind] ?? "")} · {t("第 {version} 版", { version: versionNumber })} ·{" "}
                  {t("{count} 条、{fields} 处要填", { count: clauses.length, fields: form.fields.length })}
                </small>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
