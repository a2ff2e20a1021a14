import type { UserInfo } from "@herdwise/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../shared/api/api-error.ts";
import { Captcha } from "../shared/captcha/captcha.tsx";
import { useCaptcha } from "../shared/captcha/use-captcha.ts";
import { PasswordField } from "../shared/forms/fields.tsx";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { loadAccess } from "../shared/session/access.ts";
import { logIn } from "../shared/session/log-in.ts";
import { logOut } from "../shared/session/log-out.ts";

type Problems = Partial<Record<"password" | "captcha", string>>;

/**
 * In front of a form that would be lost: the session ended, the same person logs in again, and the page stays as it is.
 */
export function LogInAgain({ user, onDone }: { user: UserInfo; onDone: () => void }) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const captcha = useCaptcha();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found: Problems = {
      ...(password === "" ? { password: "请输入密码" } : {}),
      ...(captcha.proof ? {} : { captcha: "请完成安全验证" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0 || !captcha.proof) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const evidence = {
        way: "password",
        account: user.account,
        password,
        type: user.tenant_type === "group" ? "employee" : user.tenant_type,
        captcha: captcha.proof,
      } as const;
      await logIn(evidence, user.tenant_id);
      // Stores who this is again; the page itself keeps what it shows.
      await loadAccess();
      onDone();
    } catch (error) {
      captcha.renew();
      setProblems({ password: error instanceof ApiError ? error.message : "error" });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      className="captcha-ask"
      aria-labelledby="again-title"
      // Without a session nothing behind it works: the ways out are below.
      onCancel={(event) => event.preventDefault()}
    >
      <header>
        <h2 id="again-title">{t("登录已过期")}</h2>
      </header>
      <p className="again-say">{t("请以 {account} 重新登录。您填写的内容还在。", { account: user.account })}</p>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <PasswordField
          id="again-password"
          label={t("密码")}
          autoComplete="current-password"
          value={password}
          onChange={(value) => {
            setPassword(value);
            setProblems({});
          }}
          problem={problems.password && t(problems.password)}
        />
        <Captcha key={captcha.round} onProof={captcha.setProof} problem={problems.captcha && t(problems.captcha)} />
        <div className="confirm-actions">
          <button type="button" className="btn ghost" onClick={() => void logOut()}>
            {t("放弃内容，换个账号")}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {t("登录")}
          </button>
        </div>
      </form>
    </dialog>
  );
}
