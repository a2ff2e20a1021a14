import { useCallback, useState } from "react";
import type { CaptchaProof } from "./puzzle-proof.ts";

export interface CaptchaControl {
  /** Set while a passed captcha waits to be used. */
  proof: CaptchaProof | undefined;
  setProof: (proof: CaptchaProof | undefined) => void;
  /** Key of the component: a new round is a new captcha. */
  round: number;
  /** The proof was used up: the next call needs another. */
  renew: () => void;
}

/** Holds the proof of a captcha for the form around it. */
export function useCaptcha(): CaptchaControl {
  const [proof, setProof] = useState<CaptchaProof>();
  const [round, setRound] = useState(0);
  const renew = useCallback(() => {
    setProof(undefined);
    setRound((now) => now + 1);
  }, []);
  return { proof, setProof, round, renew };
}
