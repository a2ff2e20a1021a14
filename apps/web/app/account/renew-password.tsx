import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../shared/api/api-error.ts";
import { PasswordField } from "../shared/forms/fields.tsx";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { type NewPassword, NewPasswordFields } from "../shared/forms/new-password.tsx";
import { changeOwnPassword, type OwnPasswordProblems, ownPasswordProblems } from "../shared/forms/own-password.ts";
import { usePasswordRule } from "../shared/forms/password-rule.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { RefusalLine } from "./password-form.tsx";

interface Props {
  /** The password that was just given, if it was. */
  oldPassword: string | undefined;
  onDone: () => void;
  onBack: () => void;
}

/** After a reset by an administrator the first thing to do is to choose a password of one's own. */
export function RenewPassword({ oldPassword, onDone, onBack }: Props) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [old, setOld] = useState(oldPassword ?? "");
  const [value, setValue] = useState<NewPassword>({ password: "", confirmation: "" });
  const [problems, setProblems] = useState<OwnPasswordProblems>({});
  const [busy, setBusy] = useState(false);
  const rule = usePasswordRule();
  useEffect(() => heading.current?.focus(), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = ownPasswordProblems(old, value, rule.rule, t);
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      await changeOwnPassword(old, value, rule.rule);
      onDone();
    } catch (error) {
      setProblems({ form: error instanceof ApiError ? error.message : "未知错误" });
      await rule.ask();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <h2 ref={heading} tabIndex={-1}>
        {t("请设置新密码")}
      </h2>
      <p>{t("您的密码由管理员重置过，设置自己的密码后继续。")}</p>
      {oldPassword === undefined && (
        <PasswordField
          id="old-password"
          label={t("原密码")}
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          problem={problems.old && t(problems.old)}
        />
      )}
      <NewPasswordFields label={t("新密码")} value={value} onChange={setValue} problems={problems} rule={rule} />
      <RefusalLine text={problems.form} />
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t("保存并继续")}
      </button>
      <button type="button" className="btn ghost back" onClick={onBack}>
        {t("退出登录")}
      </button>
    </form>
  );
}
