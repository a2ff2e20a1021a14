import { type ContactState, contactCode, emailChange } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { CodeField, type SentCode } from "./code-field.tsx";
import styles from "./security.module.css";

const nothing: { email: string; sent: SentCode | undefined } = { email: "", sent: undefined };

/** Binds an e-mail by a code that came there, or takes the bound one off. */
export function ChangeEmail({
  contact,
  onChanged,
  onClose,
}: {
  contact: ContactState;
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const { user } = useAccess();
  const [{ email, sent }, set, forget] = useDraft(`${user.user_id}_email`, nothing, sessionStorage);
  const [digits, setDigits] = useState("");
  useUnsaved(email !== "");
  const looksRight = /^\S+@\S+\.\S{2,}$/.test(email.trim());
  const save = (to: string, text: string) =>
    submit(async () => {
      const body = to === "" ? { email: "" } : { email: to, id: sent?.id ?? "", code: digits };
      await call(emailChange, { body, quiet: true });
      showToast({ kind: "ok", text });
      forget();
      onChanged();
    });
  return (
    <SubmitForm form={form} className={styles.inside} send={() => save(email.trim(), "邮箱已绑定")}>
      <div className={styles.pair}>
        <TextField
          id="new-email"
          label={t("邮箱")}
          required
          autoComplete="email"
          maxLength={254}
          value={email}
          onChange={(value) => {
            set({ email: value, sent: undefined });
            mend("email");
          }}
          problem={problems.email}
        />
        <CodeField
          id="email-code"
          label={t("发到邮箱的验证码")}
          sent={sent}
          digits={digits}
          disabled={!looksRight}
          problem={problems.email ? undefined : (problems.code ?? refused)}
          send={async () => {
            const { id, email: to } = await call(contactCode, {
              body: { to: "email", value: email.trim() },
              quiet: true,
            });
            return { id, to };
          }}
          onSent={(code) => set({ sent: code })}
          onDigits={setDigits}
        />
      </div>
      <div className={styles.go}>
        {contact.email !== "" && (
          <Button kind="danger" isDisabled={busy} onPress={() => void save("", "邮箱已解绑")}>
            {t("解绑 {email}", { email: contact.email })}
          </Button>
        )}
        <Button onPress={onClose}>{t("取消")}</Button>
        <Button kind="primary" type="submit" isDisabled={busy || !sent || digits.length !== 6}>
          {t("绑定")}
        </Button>
      </div>
    </SubmitForm>
  );
}
