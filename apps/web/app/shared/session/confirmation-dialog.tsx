import { sessionConfirm } from "@herdwise/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { PasswordField } from "../forms/fields.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { md5 } from "./md5.ts";

/** Asks for the own password, in front of whatever dialog made the call that needs it. */
export function ConfirmationDialog({ confirm, leave }: { confirm: () => void; leave: () => void }) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const prove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // The form may stand in another one's React tree, whose submission this is not.
    event.stopPropagation();
    setBusy(true);
    setProblem(undefined);
    try {
      await call(sessionConfirm, { body: { password: md5(password) }, quiet: true });
      confirm();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
      setBusy(false);
    }
  };
  return (
    // React Aria leaves what is marked so reachable while one of its own dialogs is open.
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby="confirmation-title"
      data-react-aria-top-layer="true"
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <h2 id="confirmation-title">{t("请输入您的登录密码")}</h2>
      <form onSubmit={(event) => void prove(event)} noValidate>
        <div className="confirm-text">
          <p>{t("确认是您本人操作，5 分钟内不再问。")}</p>
          <PasswordField
            id="confirm-own-password"
            label={t("您的登录密码")}
            value={password}
            problem={problem}
            autoComplete="current-password"
            onChange={(value) => {
              setPassword(value);
              setProblem(undefined);
            }}
          />
        </div>
        <div className="confirm-actions">
          <button type="button" className="btn" onClick={leave}>
            {t("取消")}
          </button>
          <button type="submit" className="btn primary" disabled={busy || password === ""}>
            {t("继续")}
          </button>
        </div>
      </form>
    </dialog>
  );
}
