import { normalizePhone } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../shared/api/api-error.ts";
import { Captcha } from "../shared/captcha/captcha.tsx";
import type { CaptchaProof } from "../shared/captcha/puzzle-proof.ts";
import { useCaptcha } from "../shared/captcha/use-captcha.ts";
import { focusFirstProblem } from "../shared/forms/focus-problem.ts";
import { PhoneField, phoneProblem } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { useKept } from "./use-kept.ts";

interface Props {
  /** What the button says, as a key of the translations. */
  action: string;
  /** Does what the form is for. A refusal is shown at the number, and the next attempt needs another captcha. */
  onSubmit: (phone: string, proof: CaptchaProof) => Promise<void>;
}

/** A mobile number and a captcha: the beginning of every recovery. The number survives errors and reloads. */
export function PhoneStep({ action, onSubmit }: Props) {
  const t = useTranslate();
  const [phone, setPhone, forgetPhone] = useKept("phone");
  const [problems, setProblems] = useState<{ phone?: string; captcha?: string }>({});
  const [busy, setBusy] = useState(false);
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = phoneProblem(phone);
    setProblems({ ...(wrong ? { phone: wrong } : {}), ...(captcha.proof ? {} : { captcha: "请完成安全验证" }) });
    if (wrong || !captcha.proof) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      await onSubmit(normalizePhone(phone), captcha.proof);
      forgetPhone();
    } catch (error) {
      captcha.renew();
      setProblems({ phone: error instanceof ApiError ? error.message : "未知错误" });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  return (
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
      <button className="btn primary submit" type="submit" disabled={busy}>
        {t(action)}
      </button>
    </form>
  );
}
