import { phoneBack, phoneBackCode, phoneTakeBackDays } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { codeProblem, PhoneField, phoneProblem, SmsCodeField, useSmsCode } from "../shared/forms/sms-code.tsx";
import { useJoin } from "../shared/language/use-join.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { Done } from "./done.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";

/** The page needs the tab's memory of a code under way, which the server doesn't have. */
export function clientLoader(): null {
  return null;
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AccountFallback title="撤回更换手机号" />;
}

const purpose = "phone-back";

/** The owner of an old number, who was told of a change by SMS, takes it back. */
export default function PhoneBack() {
  const t = useTranslate();
  const join = useJoin("names");
  const code = useSmsCode(purpose);
  const form = useRef<HTMLFormElement>(null);
  const [phone, setPhone] = useState(code.sent?.phone ?? "");
  const [problems, setProblems] = useState<{ phone?: string; code?: string }>({});
  const [busy, setBusy] = useState(false);
  const [accounts, setAccounts] = useState<readonly string[]>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [wrongPhone, wrongCode] = [phoneProblem(phone), codeProblem(code, phone)];
    setProblems({ ...(wrongPhone && { phone: wrongPhone }), ...(wrongCode && { code: wrongCode }) });
    if (wrongPhone || wrongCode || !code.sent) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const taken = await call(phoneBack, {
        query: { mobilePhone: code.sent.phone },
        headers: proofHeaders({ key: code.sent.id, code: code.digits }),
        quiet: true,
      });
      code.forget();
      setAccounts(taken.accounts);
    } catch (error) {
      setProblems({ code: asApiError(error).text });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AccountShell title={t("撤回更换手机号")}>
      {accounts ? (
        <Done
          title={t("手机号恢复了")}
          text={t("{accounts} 的手机号改回这个号码，所有登录都已退出。请马上设置新密码。", {
            accounts: join(accounts),
          })}
        >
          <Link className="btn primary submit" to="/findPass">
            {t("设置新密码")}
          </Link>
        </Done>
      ) : (
        <>
          <h2>{t("撤回更换手机号")}</h2>
          <p>
            {t("收到“更换手机号”的短信，但不是您操作的？{days} 天内凭旧号的短信验证码就能撤回。", {
              days: phoneTakeBackDays,
            })}
          </p>
          <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
            <PhoneField
              value={phone}
              onChange={(value) => {
                setPhone(value);
                setProblems({});
              }}
              problem={problems.phone}
            />
            <SmsCodeField
              code={code}
              phone={phone}
              problem={problems.code}
              send={(mobilePhone, proof) =>
                call(phoneBackCode, { query: { mobilePhone }, headers: proofHeaders(proof), quiet: true })
              }
              onProblem={setProblems}
            />
            <button className="btn primary submit" type="submit" disabled={busy}>
              {t("撤回更换")}
            </button>
          </form>
          <div className="ways-out">
            <Link className="link" to="/login">
              {t("去登录")}
            </Link>
          </div>
        </>
      )}
    </AccountShell>
  );
}
