import { normalizePhone, passwordRuleText, register, sendValidate, usernameProblem } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { TextField } from "../shared/forms/fields.tsx";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { type NewPassword, NewPasswordFields, newPasswordProblems } from "../shared/forms/new-password.tsx";
import { usePasswordRule } from "../shared/forms/password-rule.ts";
import { codeProblem, PhoneField, phoneProblem, SmsCodeField, useSmsCode } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { leaveSession } from "../shared/session/log-in.ts";
import { md5 } from "../shared/session/md5.ts";
import { AgreementBox, useAgreements } from "./agreements.tsx";
import { Done } from "./done.tsx";
import { RefusalLine } from "./password-form.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";
import { useKept } from "./use-kept.ts";

/** Entering this page ends the stored session and the mall's (product.md 2). */
export function clientLoader(): null {
  leaveSession();
  return null;
}
clientLoader.hydrate = true as const;
export const shouldRevalidate = (): boolean => false;
export function HydrateFallback() {
  return <AccountFallback title="注册" />;
}

type Field = "username" | "phone" | "code" | "password" | "confirmation" | "agreement" | "form";
type Problems = Partial<Record<Field, string>>;

/** Where a field of the operation stands on this page. */
const fieldOf: Readonly<Record<string, Field>> = {
  username: "username",
  mobilePhone: "phone",
  code: "code",
  password: "password",
  confirmPassword: "confirmation",
};

/** Puts a refusal at its field; one about the whole goes below the form. */
function problemOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return { form: "未知错误" };
  const field = error.reason.startsWith("verification.") ? "code" : error.problems[0]?.field;
  return { [fieldOf[field ?? ""] ?? "form"]: error.message };
}

export default function Register() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const [username, setUsername, forgetUsername] = useKept("username");
  const [phone, setPhone, forgetPhone] = useKept("phone");
  const [secret, setSecret] = useState<NewPassword>({ password: "", confirmation: "" });
  const [agreed, setAgreed] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const code = useSmsCode("register");
  const agreements = useAgreements();
  const rule = usePasswordRule();
  const form = useRef<HTMLFormElement>(null);
  const redirect = search.get("redirect");
  const logInPath = redirect ? `/login?${new URLSearchParams({ redirect })}` : "/login";

  const solve = (...fields: Field[]): void =>
    setProblems((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !fields.includes(field as Field))));
  const found = (): Problems => {
    const wrong: Record<string, string> = {
      username: username.trim() === "" ? "请输入用户名" : usernameProblem(username, normalizePhone(phone)),
      phone: phoneProblem(phone),
      code: codeProblem(code, phone),
      agreement: agreed ? "" : "请阅读并同意协议",
      ...newPasswordProblems(secret, { rule: rule.rule, different: "两次密码不一致", t }),
    };
    return Object.fromEntries(Object.entries(wrong).filter(([, text]) => text !== ""));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = found();
    setProblems(wrong);
    if (Object.keys(wrong).length > 0 || !code.sent) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const password = md5(secret.password);
      await call(register, {
        body: {
          username: username.trim(),
          mobilePhone: code.sent.phone,
          password,
          confirmPassword: password,
          passwordRule: passwordRuleText(rule.rule),
          agreementIds: (agreements.value ?? []).map(({ id }) => id),
        },
        headers: proofHeaders({ key: code.sent.id, code: code.digits }),
        quiet: true,
      });
      code.forget();
      forgetUsername();
      forgetPhone();
      setDone(true);
    } catch (error) {
      const refused = problemOf(error);
      setProblems(refused);
      if (refused.password !== undefined) void rule.ask();
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  if (done) {
    return (
      <AccountShell title={t("注册")}>
        <Done
          title={t("注册成功")}
          text={t("账号 {account} 已经建好，您的农场也已建好，登录后就能绑定设备。", { account: username.trim() })}
        >
          <Link className="btn primary submit" to={logInPath}>
            {t("去登录")}
          </Link>
        </Done>
      </AccountShell>
    );
  }
  return (
    <AccountShell title={t("注册")}>
      <h2>{t("注册")}</h2>
      <p>
        {t("已有账号？")}{" "}
        <Link className="link" to={logInPath}>
          {t("去登录")}
        </Link>
      </p>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          id="username"
          label={t("用户名")}
          autoComplete="username"
          value={username}
          onChange={(value) => {
            setUsername(value);
            solve("username");
          }}
          hint={t("登录时使用，2 到 32 个字符")}
          problem={problems.username && t(problems.username)}
        />
        <PhoneField
          value={phone}
          onChange={(value) => {
            setPhone(value);
            solve("phone");
          }}
          problem={problems.phone}
        />
        <SmsCodeField
          code={{
            ...code,
            setDigits: (digits) => {
              code.setDigits(digits);
              solve("code");
            },
          }}
          phone={phone}
          problem={problems.code}
          send={(mobilePhone, proof) =>
            call(sendValidate, {
              query: { mobilePhone, purpose: "register" },
              headers: proofHeaders(proof),
              quiet: true,
            })
          }
          onProblem={(problem) => {
            solve("phone", "code");
            const [[field = "code", text = ""] = []] = Object.entries(problem);
            if (text === "") return;
            setProblems((now) => ({ ...now, [field]: text }));
            focusFirstProblem(form.current);
          }}
        />
        <NewPasswordFields
          label={t("密码")}
          value={secret}
          onChange={(value) => {
            setSecret(value);
            solve("password", "confirmation");
          }}
          problems={problems}
          rule={rule}
        />
        <AgreementBox
          checked={agreed}
          onChange={(checked) => {
            setAgreed(checked);
            solve("agreement");
          }}
          problem={problems.agreement}
        />
        <RefusalLine text={problems.form} />
        <button className="btn primary submit" type="submit" disabled={busy}>
          {t(busy ? "正在注册" : "注册")}
        </button>
      </form>
    </AccountShell>
  );
}
