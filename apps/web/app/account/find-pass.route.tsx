import { passwordRuleText, resetPassword, resetPasswordPre, resetPasswordValidate } from "@herdwise/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import {
  type NewPassword,
  NewPasswordFields,
  type NewPasswordProblems,
  newPasswordProblems,
} from "../shared/forms/new-password.tsx";
import { usePasswordRule } from "../shared/forms/password-rule.ts";
import { codeProblem, SmsCodeField, useSmsCode } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { md5 } from "../shared/session/md5.ts";
import { Done } from "./done.tsx";
import { RefusalLine } from "./password-form.tsx";
import { PhoneStep } from "./phone-step.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";

/** The page needs the tab's memory of a code under way, which the server doesn't have. */
export function clientLoader(): null {
  return null;
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AccountFallback title="找回密码" />;
}

const purpose = "reset";
const stepNames = ["验证手机号", "输入验证码", "设置新密码"] as const;

function Steps({ at }: { at: number }) {
  const t = useTranslate();
  return (
    <ol className="steps" aria-label={t("步骤")}>
      {stepNames.map((name, index) => (
        <li key={name} aria-current={index === at ? "step" : undefined} data-done={index < at ? "" : undefined}>
          <b className="num">{index + 1}</b>
          {t(name)}
        </li>
      ))}
    </ol>
  );
}

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : "未知错误");

interface Ticket {
  nonceKey: string;
  accounts: string[];
}

/** A link from an administrator's reset is the proof of the phone that it was sent to; the server knows for whom. */
function ticketOfLink(): Ticket | undefined {
  const nonceKey = /^#([\w-]{22})$/.exec(location.hash)?.[1];
  return nonceKey === undefined ? undefined : { nonceKey, accounts: [] };
}

/** Second step: the digits prove the phone. */
function CodeStep({
  code,
  onProven,
  onBack,
}: {
  code: SmsCodeOf;
  onProven: (ticket: Ticket) => void;
  onBack: () => void;
}) {
  const t = useTranslate();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const phone = code.sent?.phone ?? "";
  useEffect(() => form.current?.querySelector<HTMLInputElement>("#sms-code")?.focus(), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = codeProblem(code, phone);
    setProblem(wrong || undefined);
    if (wrong || !code.sent) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const ticket = await call(resetPasswordValidate, {
        query: { phone },
        headers: proofHeaders({ key: code.sent.id, code: code.digits }),
        quiet: true,
      });
      code.forget();
      onProven(ticket);
    } catch (error) {
      setProblem(messageOf(error));
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <SmsCodeField
        code={{
          ...code,
          setDigits: (digits) => {
            code.setDigits(digits);
            setProblem(undefined);
          },
        }}
        phone={phone}
        problem={problem}
        send={(number, proof) =>
          call(resetPasswordPre, { query: { phone: number }, headers: proofHeaders(proof), quiet: true })
        }
        onProblem={(found) => setProblem(Object.values(found)[0] || undefined)}
      />
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t("下一步")}
      </button>
      <button type="button" className="btn ghost back" onClick={onBack}>
        {t("换个手机号")}
      </button>
    </form>
  );
}
type SmsCodeOf = ReturnType<typeof useSmsCode>;

/** Third step: which account, and its new password. */
function PasswordStep({ ticket, onDone, onBack }: { ticket: Ticket; onDone: () => void; onBack: () => void }) {
  const t = useTranslate();
  const [account, setAccount] = useState(ticket.accounts[0] ?? "");
  const [secret, setSecret] = useState<NewPassword>({ password: "", confirmation: "" });
  const [problems, setProblems] = useState<NewPasswordProblems & { form?: string }>({});
  const rule = usePasswordRule();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = newPasswordProblems(secret, { rule: rule.rule, different: "新密码与确认密码不一致", t });
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const password = md5(secret.password);
      await call(resetPassword, {
        body: {
          account,
          nonceKey: ticket.nonceKey,
          password,
          confirmPassword: password,
          passwordRule: passwordRuleText(rule.rule),
        },
        quiet: true,
      });
      onDone();
    } catch (error) {
      const about = error instanceof ApiError ? error.problems[0]?.field : undefined;
      const message = messageOf(error);
      setProblems(about === "password" ? { password: message } : { form: message });
      if (about === "password") void rule.ask();
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {ticket.accounts.length > 1 ? (
        <fieldset className="which">
          <legend>{t("为哪个账号设置新密码")}</legend>
          {ticket.accounts.map((name) => (
            <label key={name}>
              <input
                className="checkbox"
                type="radio"
                name="account"
                value={name}
                checked={name === account}
                onChange={() => setAccount(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      ) : (
        account !== "" && (
          <p className="said">
            {t("账号")}　<b>{account}</b>
          </p>
        )
      )}
      <NewPasswordFields
        label={t("新密码")}
        value={secret}
        onChange={(value) => {
          setSecret(value);
          setProblems({});
        }}
        problems={problems}
        rule={rule}
      />
      <RefusalLine text={problems.form} />
      <p className="f-hint">{t("保存后，这个账号在所有设备上的登录都会结束。")}</p>
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t("保存新密码")}
      </button>
      <button type="button" className="btn ghost back" onClick={onBack}>
        {t("从头再来")}
      </button>
    </form>
  );
}

export default function FindPass() {
  const t = useTranslate();
  const code = useSmsCode(purpose);
  // A code that is under way survives a reload: the page goes on where it was.
  const [ticket, setTicket] = useState<Ticket | undefined>(ticketOfLink);
  const [step, setStep] = useState(ticket ? 2 : code.sent ? 1 : 0);
  const [done, setDone] = useState(false);
  // What opens an account should not stay in the address bar and the history.
  useEffect(() => {
    if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  }, []);
  const restart = (): void => {
    code.forget();
    setTicket(undefined);
    setStep(0);
  };
  return (
    <AccountShell title={t("找回密码")}>
      {done ? (
        <Done title={t("密码已更新")} text={t("请用新密码登录。")}>
          <Link className="btn primary submit" to="/login">
            {t("去登录")}
          </Link>
        </Done>
      ) : (
        <>
          <h2>{t("找回密码")}</h2>
          <p>
            {t("想起来了？")}{" "}
            <Link className="link" to="/login">
              {t("去登录")}
            </Link>
          </p>
          <Steps at={step} />
          {step === 0 ? (
            <PhoneStep
              action="下一步"
              // The answer is the same for every number.
              onSubmit={async (phone, proof) => {
                const headers = proofHeaders(proof);
                const { id } = await call(resetPasswordPre, { query: { phone }, headers, quiet: true });
                code.remember({ phone, id, sentAtMs: Date.now() });
                setStep(1);
              }}
            />
          ) : step === 1 || !ticket ? (
            <CodeStep
              code={code}
              onProven={(proven) => {
                setTicket(proven);
                setStep(2);
              }}
              onBack={restart}
            />
          ) : (
            <PasswordStep ticket={ticket} onDone={() => setDone(true)} onBack={restart} />
          )}
        </>
      )}
    </AccountShell>
  );
}
