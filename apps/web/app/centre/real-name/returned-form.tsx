import {
  type RealNameApplication,
  type RealNameDetail,
  type RealNameReason,
  realNameResubmit,
} from "@herdwise/contract";
import { realNameItems } from "@herdwise/contract/real-name-checks";
import { call } from "../../shared/api/call.ts";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { DifferenceText } from "../../shared/real-name/difference-text.tsx";
import { labelOf, reasonWord } from "../../shared/real-name/words.ts";
import { ItemField } from "./item-field.tsx";
import styles from "./real-name.module.css";
import { useKeptValues } from "./use-kept-values.ts";

/**
 * The items that are open once more, each beside why; the others are locked.
 * @param fields which those are: what was returned, or the account that the bank refused
 */
export function ReturnedForm({
  application,
  detail,
  fields,
  all,
  onSent,
}: {
  application: RealNameApplication;
  detail: RealNameDetail;
  fields: readonly string[];
  /** Each of them must change; otherwise at least one. */
  all: boolean;
  onSent: () => void;
}) {
  const t = useTranslate();
  const join = useJoin();
  const { id, kind, items } = application;
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const { kept, typed, change, settle } = useKeptValues(kind, detail, busy);
  const itemOf = (field: string) => items.find((item) => item.field === field);
  const changed = fields.filter((field) => {
    const before = itemOf(field);
    const now = typed[field] ?? kept[field] ?? "";
    return now !== "" && now !== (before?.pictureId || before?.value);
  });
  const missing = all ? fields.length - changed.length : changed.length > 0 ? 0 : 1;
  const locked = items.filter((item) => !fields.includes(item.field));
  const send = async (): Promise<void> => {
    // What was typed before a reload lies with the server, which takes it from there.
    const values = Object.fromEntries(
      changed.flatMap((field) => (typed[field] === undefined ? [] : [[field, typed[field]]])),
    );
    if (!(await submit(() => call(realNameResubmit, { body: { id, values }, quiet: true })))) return;
    settle();
    onSent();
  };
  return (
    <SubmitForm form={form} className={styles.column} autoComplete="off" send={send}>
      <section className="card" aria-labelledby="returned-title">
        <header>
          <h2 id="returned-title">{t("要改的")}</h2>
          <span className="spacer" />
          <span className="tag">{fields.length}</span>
        </header>
        {realNameItems[kind]
          .filter(({ field }) => fields.includes(field))
          .map((rule) => {
            const item = itemOf(rule.field);
            const { reason = "", note = "", documentValue = "", value = "", pictureId = "" } = item ?? {};
            return (
              <div key={rule.field} className={styles.returned}>
                <div>
                  <h3>{t(rule.label)}</h3>
                  {reason !== "" && reason !== "none" && (
                    <p className={styles.why}>
                      <Mark name="critical" />
                      {t(reasonWord(reason as RealNameReason, kind))}
                    </p>
                  )}
                </div>
                <div>
                  {note !== "" && (
                    <p className={styles.note} lang="zh-CN">
                      {note}
                    </p>
                  )}
                  {documentValue !== "" && (
                    <div className={styles.readings}>
                      <DifferenceText
                        typed={value}
                        document={documentValue}
                        typedLabel={t("您填的")}
                        documentLabel={t("证件上")}
                      />
                      <p className={styles.offer}>
                        <Button
                          isDisabled={typed[rule.field] === documentValue}
                          onPress={() => change(rule.field, documentValue)}
                        >
                          {t("改成 {value}", { value: documentValue })}
                        </Button>
                      </p>
                    </div>
                  )}
                  <ItemField
                    kind={kind}
                    item={rule}
                    typed={typed[rule.field]}
                    kept={kept[rule.field] || pictureId || value}
                    problem={problems[rule.field]}
                    onChange={(next) => {
                      change(rule.field, next ?? "");
                      mend(rule.field);
                    }}
                  />
                </div>
              </div>
            );
          })}
        {locked.length > 0 && (
          <details className={styles.locked}>
            <summary>{t("没有异议的 {count} 项，不用动", { count: locked.length })}</summary>
            <p>{join(locked.map(({ field }) => t(labelOf(kind, field))))}</p>
          </details>
        )}
      </section>
      <div className={styles.dock}>
        <span role="status">
          {refused ? (
            <span className="state critical">{refused}</span>
          ) : missing > 0 ? (
            t("改了 {changed} 项，还差 {missing} 项", { changed: changed.length, missing })
          ) : (
            t("改了 {changed} 项，可以提交了", { changed: changed.length })
          )}
        </span>
        <span className={styles.space} />
        <Button kind="primary" type="submit" isDisabled={busy || missing > 0}>
          {t(busy ? "正在提交" : "重新提交 {count} 项", { count: changed.length })}
        </Button>
      </div>
    </SubmitForm>
  );
}
