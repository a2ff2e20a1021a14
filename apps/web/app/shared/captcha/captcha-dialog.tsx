import { useEffect, useRef } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Captcha } from "./captcha.tsx";
import type { CaptchaProof } from "./puzzle-proof.ts";

/** Long enough to see that it was right. */
const seenMs = 350;

/** Asks for a captcha in front of the page, and goes away with its proof. */
export function CaptchaDialog({ onProof, onClose }: { onProof: (proof: CaptchaProof) => void; onClose: () => void }) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  const handed = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => {
      clearTimeout(handed.current);
      opened?.close();
    };
  }, []);
  return (
    <dialog ref={dialog} className="captcha-ask" aria-labelledby="captcha-title" onCancel={onClose}>
      <header>
        <h2 id="captcha-title">{t("安全验证")}</h2>
        <button type="button" className="icon-button" aria-label={t("关闭")} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <Captcha
        onProof={(proof) => {
          clearTimeout(handed.current);
          if (proof) handed.current = setTimeout(() => onProof(proof), seenMs);
        }}
      />
    </dialog>
  );
}
