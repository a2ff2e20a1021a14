import { sendValidate } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { call } from "../shared/api/call.ts";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { codeProblem, PhoneField, phoneProblem, SmsCodeField, useSmsCode } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { AgreementBox } from "./agreements.tsx";
import type { LogInFormProps } from "./password-form.tsx";

type Problems = Partial<Record<"phone" | "code" | "agreement", string>>;
const without = (problems: Problems, ...fields: (keyof Problems)[]): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !fields.includes(field as keyof Problems)));

/** Phone and the code that was sent to it. */
export function SmsForm({ agreed, onAgreed, refusal, busy, onSubmit, onEdit }: LogInFormProps) {
  const t = useTranslate();
  const code = useSmsCode("login");
  const [phone, setPhone] = useState(code.sent?.phone ?? "");
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrongPhone = phoneProblem(phone);
    const wrongCode = codeProblem(code, phone);
    const found: Problems = {
      ...(wrongPhone ? { phone: wrongPhone } : {}),
      ...(wrongCode ? { code: wrongCode } : {}),
      ...(agreed ? {} : { agreement: "请阅读并同意协议" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstProblem(form.current);
    else if (code.sent) onSubmit({ way: "sms", phone: code.sent.phone, id: code.sent.id, digits: code.digits });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <PhoneField
        value={phone}
        onChange={(value) => {
          setPhone(value);
          setProblems((now) => without(now, "phone"));
          onEdit();
        }}
        problem={problems.phone}
      />
      <SmsCodeField
        code={{
          ...code,
          setDigits: (digits) => {
            code.setDigits(digits);
            setProblems((now) => without(now, "code"));
            onEdit();
          },
        }}
        phone={phone}
        problem={problems.code ?? refusal?.message}
        send={(mobilePhone, proof) =>
          call(sendValidate, {
            query: { mobilePhone, purpose: "login" },
            headers: proofHeaders(proof),
            quiet: true,
          })
        }
        onProblem={(problem) => {
          setProblems((now) => {
            const rest = without(now, "phone", "code");
            if ("phone" in problem) return { ...rest, phone: problem.phone };
            return problem.code === "" ? rest : { ...rest, code: problem.code };
          });
          onEdit();
          focusFirstProblem(form.current);
        }}
      />
      <AgreementBox
        checked={agreed}
        onChange={(checked) => {
          onAgreed(checked);
          setProblems((now) => without(now, "agreement"));
        }}
        problem={problems.agreement}
      />
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t("登录")}
      </button>
    </form>
  );
}
