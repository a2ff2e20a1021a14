import {
  type AgreementKind,
  type AgreementVersionDetail,
  agreementKinds,
  agreementSubmit,
  agreementTextLength,
} from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import styles from "./agreements.module.css";
import { kindWords } from "./words.ts";

interface Draft {
  kind: AgreementKind;
  version: string;
  askAgain: boolean;
  zh: { title: string; summary: string; body: string };
  en: { title: string; summary: string; body: string };
}

const languages = [
  ["zh", "中文"],
  ["en", "英文"],
] as const;

/** A draft in both languages side by side; a new one begins with the texts in force. */
export function VersionEditor({
  version,
  basedOn,
  onSaved,
  onCancel,
}: {
  /** Of the draft that is changed; none for a new one. */
  version: AgreementVersionDetail | undefined;
  basedOn: AgreementVersionDetail | undefined;
  onSaved: (id: string) => void;
  onCancel: () => void;
}) {
  const t = useTranslate();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const from = version ?? basedOn;
  const none = { title: "", summary: "", body: "" };
  const [begun] = useState<Draft>(() => ({
    kind: from?.kind ?? "user",
    version: version?.version ?? "",
    askAgain: version?.askAgain ?? true,
    zh: version?.zh ?? { ...(basedOn?.zh ?? none), summary: "" },
    en: version?.en ?? { ...(basedOn?.en ?? none), summary: "" },
  }));
  const { user } = useAccess();
  const place = `${user.user_id}_agreement_${version ? `${version.id}_${version.rowVersion}` : `new_${basedOn?.id ?? ""}`}`;
  const [draft, set, forget] = useDraft(place, begun);
  const changed = JSON.stringify(draft) !== JSON.stringify(begun);
  useUnsaved(changed && !busy);
  const save = async (): Promise<void> => {
    let id = "";
    const body = { ...draft, ...(version && { id: version.id, rowVersion: version.rowVersion }) };
    const taken = await submit(async () => {
      ({ id } = await call(agreementSubmit, { body, quiet: true }));
    });
    if (!taken) return;
    forget();
    onSaved(id);
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className={styles.form}>
        <div className={styles.two}>
          <SelectField
            id="agreement-kind"
            label={t("协议")}
            value={draft.kind}
            disabled={version !== undefined}
            options={agreementKinds.map((kind) => [kind, t(kindWords[kind])])}
            onChange={(kind) => set({ kind: kind as AgreementKind })}
          />
          <TextField
            id="agreement-version"
            label={t("版本号")}
            value={draft.version}
            problem={problems.version}
            autoComplete="off"
            maxLength={agreementTextLength.version}
            required
            onChange={(value) => {
              set({ version: value });
              mend("version");
            }}
          />
        </div>
        <label className={styles.check}>
          <CheckBox checked={draft.askAgain} onChange={({ target }) => set({ askAgain: target.checked })} />{" "}
          {t("发布后请每个人重新同意；不勾选时，同意过上一版的人不再问")}
        </label>
        <div className={styles.two}>
          {languages.map(([lang, name]) => (
            <fieldset key={lang} lang={lang === "zh" ? "zh-CN" : "en"}>
              <legend className="visually-hidden">{t(name)}</legend>
              <TextField
                id={`agreement-title-${lang}`}
                label={`${t("标题")} · ${t(name)}`}
                value={draft[lang].title}
                autoComplete="off"
                maxLength={agreementTextLength.title}
                onChange={(title) => set({ [lang]: { ...draft[lang], title } })}
              />
              <TextField
                id={`agreement-summary-${lang}`}
                label={`${t("改了什么，一句话")} · ${t(name)}`}
                value={draft[lang].summary}
                autoComplete="off"
                maxLength={agreementTextLength.summary}
                onChange={(summary) => set({ [lang]: { ...draft[lang], summary } })}
              />
              <div className="form-field">
                <Label id={`agreement-body-${lang}`} label={`${t("正文，段落之间空一行")} · ${t(name)}`} />
                <textarea
                  id={`agreement-body-${lang}`}
                  className={`input ${styles.body}`}
                  maxLength={agreementTextLength.body}
                  value={draft[lang].body}
                  onChange={({ target }) => set({ [lang]: { ...draft[lang], body: target.value } })}
                />
              </div>
            </fieldset>
          ))}
        </div>
      </div>
      <div className={styles.bar}>
        <Refusal text={refused} />
        <span className="spacer" />
        <Button
          onPress={() => {
            forget();
            onCancel();
          }}
        >
          {t("取消")}
        </Button>
        <Button kind="primary" type="submit" isDisabled={busy || !changed}>
          {t("保存草稿")}
        </Button>
      </div>
    </form>
  );
}
