import { normalizeMobilePhone, retrieveUserAccount } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { Link } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { Captcha } from "../shared/captcha/captcha.tsx";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { useCaptcha } from "../shared/captcha/use-captcha.ts";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { maskedPhone, PhoneField, phoneProblem } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { Done } from "./done.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";

/** Nothing to load; what matters is that the form begins in the browser, like its sisters. */
export function clientLoader(): null {
  return null;
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AccountFallback title="找回账号" />;
}

/** Sends the account names of a phone to it. The page says the same whether it has any. */
export default function FindAccount() {
  const t = useTranslate();
  const [phone, setPhone] = useState("");
  const [problems, setProblems] = useState<{ phone?: string; captcha?: string }>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = phoneProblem(phone);
    const found = {
      ...(wrong ? { phone: wrong } : {}),
      ...(captcha.proof ? {} : { captcha: "请完成安全验证" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0 || !captcha.proof) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      await call(retrieveUserAccount, {
        query: { mobilePhone: normalizeMobilePhone(phone) },
        headers: proofHeaders(captcha.proof),
        quiet: true,
      });
      setDone(true);
    } catch (error) {
      captcha.renew();
      setProblems({ phone: error instanceof ApiError ? error.message : "未知错误" });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AccountShell title={t("找回账号")}>
      {done ? (
        <Done
          title={t("请查看短信")}
          text={t("如果 {phone} 绑定了账号，账号名已用短信发到这部手机。", {
            phone: maskedPhone(normalizeMobilePhone(phone)),
          })}
        >
          <Link className="btn p go" to="/login">
            {t("去登录")}
          </Link>
        </Done>
      ) : (
        <>
          <h2>{t("找回账号")}</h2>
          <p>{t("账号名会用短信发到注册时的手机，不会显示在这里。")}</p>
          <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
            <PhoneField
              value={phone}
              onChange={(value) => {
                setPhone(value);
                setProblems({});
              }}
              problem={problems.phone}
            />
            <Captcha
              key={captcha.round}
              onProof={(proof) => {
                captcha.setProof(proof);
                if (proof) setProblems(({ captcha: _solved, ...others }) => others);
              }}
              problem={problems.captcha && t(problems.captcha)}
            />
            <button className="btn p go" type="submit" disabled={busy}>
              {t("把账号名发给我")}
            </button>
          </form>
          <div className="ways-out">
            <Link className="link" to="/login">
              {t("去登录")}
            </Link>
            <Link className="link" to="/findPass">
              {t("忘记密码")}
            </Link>
          </div>
        </>
      )}
    </AccountShell>
  );
}
