import { type RealNameDetail, realNameSubmit } from "@herdwise/contract";
import { type RealNameItemRule, type RealNameKind, realNameItems } from "@herdwise/contract/real-name-checks";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ItemField } from "./item-field.tsx";
import styles from "./real-name.module.css";
import { useKeptValues } from "./use-kept-values.ts";

const parts: readonly { part: RealNameItemRule["part"]; title: string }[] = [
  { part: "person", title: "身份信息" },
  { part: "licence", title: "营业执照" },
  { part: "legal", title: "法人与联系人" },
  { part: "bank", title: "结算账户" },
];

/** Everything that an application of a kind asks for. What is typed is kept as a draft by the server while one types. */
export function ApplicationForm({
  kind,
  detail,
  onSent,
  onBack,
}: {
  kind: RealNameKind;
  detail: RealNameDetail;
  onSent: () => void;
  onBack: () => void;
}) {
  const t = useTranslate();
  const { time } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const { kept, typed, savedAt, change: keep, settle } = useKeptValues(kind, detail, busy);
  const [inForce] = useState(() => inForceOf(kind, detail));
  const [lastSix, setLastSix] = useState("");

  const items = realNameItems[kind];
  const keptIn = (field: string): string => kept[field] ?? inForce[field] ?? "";
  const valueIn = (field: string): string => typed[field] ?? keptIn(field);
  const needed = items.filter(({ optional }) => !optional);
  const filled = needed.filter(({ field }) => valueIn(field) !== "").length;
  const change = (field: string, value: string | undefined): void => {
    keep(field, value ?? "");
    mend(field);
  };
  const send = async (): Promise<void> => {
    const body = { kind, values: typed, ...(kind === "personal" && { lastSix }) };
    if (!(await submit(() => call(realNameSubmit, { body, quiet: true })))) return;
    settle();
    onSent();
  };
  return (
    <SubmitForm form={form} className={styles.column} autoComplete="off" send={send}>
      {parts
        .filter(({ part }) => items.some((item) => item.part === part))
        .map(({ part, title }) => (
          <section key={part} className="card" aria-labelledby={`real-name-${part}`}>
            <header>
              <h2 id={`real-name-${part}`}>{t(title)}</h2>
            </header>
            <div className={styles.fields}>
              {items
                .filter((item) => item.part === part)
                .map((item) => (
                  <div key={item.field} className={item.form === "picture" ? styles.whole : undefined}>
                    <ItemField
                      kind={kind}
                      item={item}
                      typed={typed[item.field]}
                      kept={keptIn(item.field)}
                      problem={problems[item.field]}
                      enterpriseName={valueIn("enterpriseName")}
                      onChange={(value) => change(item.field, value)}
                    />
                  </div>
                ))}
              {part === "person" && (
                <TextField
                  id="real-name-lastSix"
                  label={t("身份证号后 6 位")}
                  required
                  autoComplete="off"
                  maxLength={6}
                  value={lastSix}
                  hint={t("再输一遍，防止输错")}
                  problem={problems.lastSix}
                  onChange={setLastSix}
                />
              )}
            </div>
          </section>
        ))}
      <div className={styles.dock}>
        <span role="status">
          {refused ? (
            <span className="state critical">{refused}</span>
          ) : (
            <>
              {t("已填 {filled} / {all} 项", { filled, all: needed.length })}
              {savedAt !== undefined && <span className="mut"> · {t("草稿存于 {time}", { time: time(savedAt) })}</span>}
            </>
          )}
        </span>
        <span className={styles.space} />
        <Button onPress={onBack}>{t("存着以后再填")}</Button>
        <Button kind="primary" type="submit" isDisabled={busy}>
          {t(busy ? "正在提交" : kind === "enterprise" ? "提交，去验证账户" : "提交审核")}
        </Button>
      </div>
    </SubmitForm>
  );
}

/** What is in force and need not be typed again. */
function inForceOf(kind: RealNameKind, { current }: RealNameDetail): Record<string, string> {
  if (current?.kind !== kind) return {};
  return Object.fromEntries(current.items.map(({ field, value, pictureId }) => [field, pictureId || value]));
}
