import { type QrCode, qrCheck, qrGenerate, qrPollMs, qrStatus } from "@herdwise/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../shared/api/call.ts";

export type QrStep = "loading" | "waiting" | "scanned" | "confirmed" | "rejected" | "expired" | "broken";

export interface QrLogIn {
  step: QrStep;
  code: QrCode | undefined;
  /** Masked name of who scanned it. */
  nickName: string;
  /** Gets another code. */
  refresh: () => void;
}

const stepOf: Readonly<Record<number, QrStep>> = {
  [qrStatus.waiting]: "waiting",
  [qrStatus.scanned]: "scanned",
  [qrStatus.confirmed]: "confirmed",
  [qrStatus.rejected]: "rejected",
  [qrStatus.expired]: "expired",
};
const isOver = (step: QrStep): boolean => step !== "waiting" && step !== "scanned";

/** A QR log-in of this browser: asks for its state every 2 s while somebody looks, and hands a confirmed key on. */
export function useQrLogIn(onConfirmed: (qrcodeKey: string) => void): QrLogIn {
  const [step, setStep] = useState<QrStep>("loading");
  const [code, setCode] = useState<QrCode>();
  const [nickName, setNickName] = useState("");
  const [round, setRound] = useState(0);
  const confirmed = useRef(onConfirmed);
  confirmed.current = onConfirmed;
  const refresh = useCallback(() => setRound((now) => now + 1), []);

  // `round` asks for another code.
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let endsAtMs = 0;
    const ask = async (qrcodeKey: string): Promise<void> => {
      if (document.visibilityState === "visible") {
        try {
          const state = await call(qrCheck, { body: { qrcodeKey }, signal: end.signal, quiet: true });
          const next = stepOf[state.status] ?? "expired";
          setNickName(state.nickName ?? "");
          setStep(next);
          if (next === "confirmed") confirmed.current(qrcodeKey);
          if (isOver(next)) return;
        } catch {
          if (end.signal.aborted) return;
          // No answer: the code may still be good, the next round asks again, but not longer than it lives.
          if (Date.now() > endsAtMs) return setStep("expired");
        }
      }
      timer = setTimeout(() => void ask(qrcodeKey), qrPollMs);
    };
    setStep("loading");
    setCode(undefined);
    call(qrGenerate, { signal: end.signal, quiet: true }).then(
      (made) => {
        endsAtMs = Date.now() + made.expiresIn * 1000;
        setCode(made);
        setStep("waiting");
        timer = setTimeout(() => void ask(made.qrcodeKey), qrPollMs);
      },
      () => !end.signal.aborted && setStep("broken"),
    );
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [round]);
  return { step, code, nickName, refresh };
}
