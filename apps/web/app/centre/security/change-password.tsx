import { type FormEvent, useRef, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { PasswordField } from "../../shared/forms/fields.tsx";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import { type NewPassword, NewPasswordFields } from "../../shared/forms/new-password.tsx";
import { changeOwnPassword, type OwnPasswordProblems, ownPasswordProblems } from "../../shared/forms/own-password.ts";
import { usePasswordRule } from "../../shared/forms/password-rule.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./security.module.css";

const empty: NewPassword = { password: "", confirmation: "" };

/** Where a refusal of the server belongs. */
function problemOf({ reason, problems, message }: ApiError): OwnPasswordProblems {
  if (reason === "identity.old_password") return { old: message };
  if (reason === "accounts.same_password" || problems[0]?.field === "password") return { password: message };
  return { form: message };
}

/** Changes the own password. What was typed stays through errors and through a session that ends meanwhile. */
export function ChangePassword({ onChanged, onClose }: { onChanged: () => void; onClose: () => void }) {
  const t = useTranslate();
  const form = useRef<HTMLFormElement>(null);
  const [old, setOld] = useState("");
  const [value, setValue] = useState(empty);
  const [problems, setProblems] = useState<OwnPasswordProblems>({});
  const [busy, setBusy] = useState(false);
  const rule = usePasswordRule();
  useUnsaved(old !== "" || value.password !== "" || value.confirmation !== "");

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = ownPasswordProblems(old, value, rule.rule, t);
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      await changeOwnPassword(old, value, rule.rule);
      setOld("");
      setValue(empty);
      showToast({ kind: "ok", text: "密码已修改，其他设备上的登录都已结束" });
      onChanged();
      onClose();
    } catch (error) {
      // After a log-in in the dialog in front of this form, the person sends it again.
      const refused = asApiError(error);
      if (refused.reason === "password.rule_changed") void rule.ask();
      setProblems(refused.code === 401 ? { form: "登录已过期，重新登录后请再次保存" } : problemOf(refused));
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} className={styles.inside} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordField
        id="old-password"
        label={t("原密码")}
        autoComplete="current-password"
        value={old}
        onChange={(next) => {
          setOld(next);
          setProblems({});
        }}
        problem={problems.old && t(problems.old)}
      />
      <NewPasswordFields
        label={t("新密码")}
        value={value}
        onChange={(next) => {
          setValue(next);
          setProblems({});
        }}
        problems={problems}
        rule={rule}
      />
      <Problem id="password-form-problem" text={problems.form && t(problems.form)} />
      <p className="f-hint">{t("保存后，其他设备上的登录会结束。")}</p>
      <div className={styles.go}>
        <Button onPress={onClose}>{t("取消")}</Button>
        <Button kind="primary" type="submit" isDisabled={busy}>
          {t("保存新密码")}
        </Button>
      </div>
    </form>
  );
}
