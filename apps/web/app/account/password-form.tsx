import type { AccountType } from "@herdwise/contract";
import { logInReasons } from "@herdwise/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { Captcha } from "../shared/captcha/captcha.tsx";
import { useCaptcha } from "../shared/captcha/use-captcha.ts";
import { PasswordField, TextField } from "../shared/forms/fields.tsx";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { Problem } from "../shared/forms/problem.tsx";
import { Icon, type IconName } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import type { Evidence } from "../shared/session/log-in.ts";
import { AgreementBox } from "./agreements.tsx";

const accountTypes: readonly { type: AccountType; name: string; icon: IconName }[] = [
  { type: "personal", name: "个人", icon: "person" },
  { type: "enterprise", name: "企业", icon: "unit" },
  { type: "employee", name: "集团员工", icon: "card" },
];

function AccountTypes({ value, onChange }: { value: AccountType; onChange: (type: AccountType) => void }) {
  const t = useTranslate();
  return (
    <fieldset className="seg acc">
      <legend className="visually-hidden">{t("账户类型")}</legend>
      {accountTypes.map(({ type, name, icon }) => (
        <button key={type} type="button" aria-pressed={value === type} onClick={() => onChange(type)}>
          <Icon name={icon} small />
          {t(name)}
        </button>
      ))}
    </fieldset>
  );
}

type Problems = Partial<Record<"account" | "password" | "captcha" | "agreement", string>>;

/** Why the server did not let somebody in: the words, and which rule it was. */
export interface Refused {
  message: string;
  reason: string;
}

export interface LogInFormProps {
  /** Ticked once, for every way to log in on this page. */
  agreed: boolean;
  onAgreed: (agreed: boolean) => void;
  /** Why the last attempt failed, as a key of the translations. */
  refusal: Refused | undefined;
  busy: boolean;
  onSubmit: (evidence: Evidence) => void;
  /** Something was changed: what was said about the last attempt no longer holds. */
  onEdit: () => void;
}

/** What was typed; it stays while the person looks at another way to log in. */
export interface Draft {
  account: string;
  password: string;
  type: AccountType;
}

interface Props extends LogInFormProps {
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
}

/** Account type, name, password and the puzzle. */
export function PasswordForm({ draft, onDraft, agreed, onAgreed, refusal, busy, onSubmit, onEdit }: Props) {
  const t = useTranslate();
  const { account, password, type } = draft;
  const [problems, setProblems] = useState<Problems>({});
  const [awake, setAwake] = useState(false);
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const { renew } = captcha;

  // The captcha went with the attempt that was refused, so the next one needs another.
  useEffect(() => {
    if (refusal === undefined) return;
    renew();
    setAwake(true);
    form.current
      ?.querySelector<HTMLElement>(refusal.reason === logInReasons.captchaWanted ? ".cap-grip" : "#password")
      ?.focus();
  }, [refusal, renew]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found: Problems = {
      ...(account.trim() === "" ? { account: "请输入账号" } : {}),
      ...(password === "" ? { password: "请输入密码" } : {}),
      ...(captcha.proof ? {} : { captcha: "请完成安全验证" }),
      ...(agreed ? {} : { agreement: "请阅读并同意协议" }),
    };
    setProblems(found);
    setAwake(true);
    if (Object.keys(found).length > 0) focusFirstProblem(form.current);
    else if (captcha.proof) {
      onSubmit({ way: "password", account: account.trim(), password, type, captcha: captcha.proof });
    }
  };
  const edit = (field: keyof Problems): void => {
    setProblems(({ [field]: _solved, ...others }) => others);
    onEdit();
  };
  const wantsCaptcha = refusal?.reason === logInReasons.captchaWanted;
  // An account of another type is told the same as a wrong password, so that nobody learns which accounts exist.
  const told =
    refusal?.reason === logInReasons.wrongPassword
      ? "用户名或密码错误，也请核对上面选的账户类型"
      : wantsCaptcha
        ? undefined
        : refusal?.message;
  const wake = (): void => setAwake(true);
  return (
    <form ref={form} onSubmit={submit} onFocus={wake} onPointerEnter={wake} noValidate>
      <AccountTypes
        value={type}
        onChange={(next) => {
          onDraft({ type: next });
          onEdit();
        }}
      />
      <TextField
        id="account"
        label={t("账号或手机号")}
        autoComplete="username"
        value={account}
        onChange={(value) => {
          onDraft({ account: value });
          edit("account");
        }}
        problem={problems.account && t(problems.account)}
      />
      <PasswordField
        id="password"
        label={t("密码")}
        autoComplete="current-password"
        value={password}
        onChange={(value) => {
          onDraft({ password: value });
          edit("password");
        }}
        problem={problems.password ? t(problems.password) : told && t(told)}
        aside={
          <Link className="link" to="/findPass">
            {t("忘记密码")}
          </Link>
        }
      />
      <Captcha
        key={captcha.round}
        awake={awake}
        onProof={(proof) => {
          captcha.setProof(proof);
          if (proof) setProblems(({ captcha: _solved, ...others }) => others);
        }}
        problem={problems.captcha ? t(problems.captcha) : wantsCaptcha ? t(refusal?.message ?? "") : undefined}
      />
      <AgreementBox
        checked={agreed}
        onChange={(checked) => {
          onAgreed(checked);
          edit("agreement");
        }}
        problem={problems.agreement}
      />
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t("登录")}
      </button>
    </form>
  );
}

/** What the last attempt was told, where no field of its own takes it. */
export function RefusalLine({ text }: { text: string | undefined }) {
  const t = useTranslate();
  return <Problem id="refusal" text={text && t(text)} />;
}
