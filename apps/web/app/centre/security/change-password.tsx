import { updatePassword } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { PasswordField } from "../../shared/forms/fields.tsx";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import {
  type NewPassword,
  NewPasswordFields,
  type NewPasswordProblems,
  newPasswordProblems,
} from "../../shared/forms/new-password.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { md5 } from "../../shared/session/md5.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./security.module.css";

type Problems = NewPasswordProblems & { old?: string; form?: string };
const empty: NewPassword = { password: "", confirmation: "" };

/** Where a refusal of the server belongs. */
function problemOf({ reason, problems, message }: ApiError): Problems {
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
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  useUnsaved(old !== "" || value.password !== "" || value.confirmation !== "");

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found: Problems = {
      ...(old === "" ? { old: "请输入原密码" } : {}),
      ...newPasswordProblems(value, "新密码与确认密码不一致"),
    };
    if (!found.password && value.password === old) found.password = "新密码不能与原密码相同";
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const newPassword = md5(value.password);
      await call(updatePassword, {
        body: { oldPassword: md5(old), newPassword, newPassword1: newPassword },
        quiet: true,
      });
      setOld("");
      setValue(empty);
      showToast({ kind: "ok", text: "密码已修改，其他设备上的登录都已结束" });
      onChanged();
      onClose();
    } catch (error) {
      // After a log-in in the dialog in front of this form, the person sends it again.
      const refused = asApiError(error);
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
