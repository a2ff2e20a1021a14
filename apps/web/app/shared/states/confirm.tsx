import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslate } from "../language/use-language.ts";

interface ConfirmProps {
  title: string;
  /** What it takes along. */
  children: ReactNode;
  /** The action, in a word. */
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** The action takes nothing away. */
  calm?: boolean;
  /** False while something must be chosen first. */
  ready?: boolean;
}

/** Asks once more before something is ended, and says what goes with it. */
export function Confirm({ title, children, action, onConfirm, onClose, calm = false, ready = true }: ConfirmProps) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    // A refusal shows as a toast; either way the question is answered.
    await onConfirm().catch(() => undefined);
    onClose();
  };
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onCancel={onClose}>
      <h2 id="confirm-title">{title}</h2>
      <div className="confirm-text">{children}</div>
      <div className="confirm-actions">
        <button type="button" className="btn" onClick={onClose} disabled={busy}>
          {t("取消")}
        </button>
        <button
          type="button"
          className={calm ? "btn primary" : "btn danger"}
          onClick={() => void confirm()}
          disabled={busy || !ready}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
