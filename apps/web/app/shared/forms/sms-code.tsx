import { mobilePhonePattern, normalizePhone, type SmsSent, smsLimits } from "@herdwise/contract";
import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { CaptchaDialog } from "../captcha/captcha-dialog.tsx";
import type { CaptchaProof } from "../captcha/puzzle-proof.ts";
import { useTranslate } from "../language/use-language.ts";
import { useNow } from "../states/use-now.ts";
import { TextField } from "./fields.tsx";
import { forgetSentCode, readSentCode, rememberSentCode, type SentCode, secondsUntilResend } from "./sms-memory.ts";

/** What is wrong with a phone number, as a key of the translations; "" when nothing is. */
export const phoneProblem = (phone: string): string =>
  phone.trim() === "" ? "请输入手机号" : mobilePhonePattern.test(normalizePhone(phone)) ? "" : "请输入正确的手机号";

export interface SmsCode {
  digits: string;
  setDigits: (digits: string) => void;
  /** The code that was sent, if one was. */
  sent: SentCode | undefined;
  remember: (sent: SentCode) => void;
  forget: () => void;
}

/** A code by SMS for one purpose. What was sent survives a reload. */
export function useSmsCode(purpose: string): SmsCode {
  const [digits, setDigits] = useState("");
  const [sent, setSent] = useState(() => readSentCode(purpose, Date.now()));
  return {
    digits,
    setDigits,
    sent,
    remember: (code) => {
      rememberSentCode(purpose, code);
      setSent(code);
    },
    forget: () => {
      forgetSentCode(purpose);
      setSent(undefined);
      setDigits("");
    },
  };
}

/** What is wrong with the digits for this phone, as a key of the translations; "" when nothing is. */
export function codeProblem({ digits, sent }: SmsCode, phone: string): string {
  if (!sent || sent.phone !== normalizePhone(phone)) return "请先获取验证码";
  return /^\d{6}$/.test(digits) ? "" : "请输入 6 位验证码";
}

interface SmsCodeFieldProps {
  code: SmsCode;
  phone: string;
  problem?: string | undefined;
  /** Sends a code after the captcha was passed. */
  send: (phone: string, proof: CaptchaProof) => Promise<SmsSent>;
  /** The phone is not one, or sending was refused: a key of the translations. */
  onProblem: (problem: { phone: string } | { code: string }) => void;
}

/** The digits, and the button that has them sent: first the captcha, then a countdown. */
export function SmsCodeField({ code, phone, problem, send, onProblem }: SmsCodeFieldProps) {
  const t = useTranslate();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const number = normalizePhone(phone);
  const left = secondsUntilResend(code.sent?.sentAtMs, now);
  const sentHere = code.sent?.phone === number;

  const begin = (): void => {
    const wrong = phoneProblem(phone);
    if (wrong !== "") onProblem({ phone: wrong });
    else setAsking(true);
  };
  const pass = async (proof: CaptchaProof): Promise<void> => {
    setAsking(false);
    setSending(true);
    try {
      const { id } = await send(number, proof);
      code.remember({ phone: number, id, sentAtMs: Date.now() });
      onProblem({ code: "" });
    } catch (error) {
      onProblem({ code: error instanceof ApiError ? error.message : "短信发送失败" });
    } finally {
      setSending(false);
    }
  };
  return (
    <>
      <TextField
        id="sms-code"
        label={t("短信验证码")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={smsLimits.digits}
        value={code.digits}
        onChange={(digits) => code.setDigits(digits.replace(/\D/g, ""))}
        problem={problem && t(problem)}
        hint={sentHere ? t("已发送到 {phone}，5 分钟内有效", { phone: maskedPhone(number) }) : undefined}
        button={
          <button type="button" className="btn" onClick={begin} disabled={left > 0 || sending}>
            {sending
              ? t("正在发送")
              : left > 0
                ? t("{count} 秒后重发", { count: left })
                : t(sentHere ? "重新获取" : "获取验证码")}
          </button>
        }
      />
      {asking && <CaptchaDialog onProof={(proof) => void pass(proof)} onClose={() => setAsking(false)} />}
    </>
  );
}

/** `13800001234` is `138****1234`. */
export const maskedPhone = (phone: string): string => phone.replace(/^(\d{3})\d{4}(\d{4})$/, "$1****$2");

interface PhoneFieldProps {
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
}

export function PhoneField({ value, onChange, problem }: PhoneFieldProps) {
  const t = useTranslate();
  return (
    <TextField
      id="phone"
      label={t("手机号")}
      inputMode="tel"
      autoComplete="tel-national"
      value={value}
      onChange={onChange}
      problem={problem && t(problem)}
    />
  );
}
