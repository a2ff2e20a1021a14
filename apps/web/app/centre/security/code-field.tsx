import { smsLimits } from "@herdwise/contract";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNow } from "../../shared/states/use-now.ts";

export interface SentCode {
  id: string;
  /** Where it went, shortened. */
  to: string;
  sentAtMs: number;
}

interface CodeFieldProps {
  id: string;
  label: string;
  sent: SentCode | undefined;
  digits: string;
  problem?: string | undefined;
  disabled?: boolean;
  /** Has a code sent. @returns its id and where it went @throws what the server refuses */
  send: () => Promise<{ id: string; to: string }>;
  onSent: (sent: SentCode) => void;
  onDigits: (digits: string) => void;
}

/** Six digits that were sent somewhere, with the button that has them sent and its countdown. */
export function CodeField(props: CodeFieldProps) {
  const { id, label, sent, digits, problem, disabled = false, send, onSent, onDigits } = props;
  const t = useTranslate();
  const now = useNow();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const left = sent ? Math.max(0, Math.ceil((sent.sentAtMs + smsLimits.resendS * 1000 - now) / 1000)) : 0;
  const ask = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      onSent({ ...(await send()), sentAtMs: Date.now() });
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <TextField
      id={id}
      label={label}
      required
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={smsLimits.digits}
      value={digits}
      onChange={(value) => onDigits(value.replace(/\D/g, ""))}
      problem={refused ?? problem}
      hint={sent && t("已发到 {to}", { to: sent.to })}
      button={
        <button type="button" className="btn" disabled={disabled || busy || left > 0} onClick={() => void ask()}>
          {busy
            ? t("正在发送")
            : left > 0
              ? t("{count} 秒后重发", { count: left })
              : t(sent ? "重新获取" : "获取验证码")}
        </button>
      }
    />
  );
}
