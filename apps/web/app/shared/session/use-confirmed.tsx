import { sessionConfirm } from "@herdwise/contract";
import { type ReactNode, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { PasswordField } from "../forms/fields.tsx";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { md5 } from "./md5.ts";

/** The person closed the question for the password: nothing was done. */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}

interface Asked {
  go: () => void;
  leave: () => void;
}

/**
 * Work that the server only does for who proved lately who they are.
 * @returns `confirmed` runs the work, asks for the own password where the server wants it, and runs it again; it throws what the
 * work throws, and `NotConfirmed` when the question is closed. `question` has to be drawn.
 */
export function useConfirmed(): { confirmed: <T>(work: () => Promise<T>) => Promise<T>; question: ReactNode } {
  const t = useTranslate();
  const [asked, setAsked] = useState<Asked>();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const close = (): void => {
    setAsked(undefined);
    setPassword("");
    setProblem(undefined);
  };
  const confirmed = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (asApiError(error).reason !== "identity.confirm_first") throw error;
    }
    await new Promise<void>((go, refuse) => setAsked({ go, leave: () => refuse(new NotConfirmed()) }));
    return work();
  };
  const prove = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call(sessionConfirm, { body: { password: md5(password) }, quiet: true });
      asked?.go();
      close();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  const leave = (): void => {
    asked?.leave();
    close();
  };
  const question = asked && (
    <Dialog
      title={t("请输入您的登录密码")}
      onClose={leave}
      footer={
        <>
          <Button onPress={leave}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={busy || password === ""} onPress={() => void prove()}>
            {t("继续")}
          </Button>
        </>
      }
    >
      <p>{t("确认是您本人操作，5 分钟内不再问。")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // It may stand in another form, whose submission this is not.
          event.stopPropagation();
          if (password !== "") void prove();
        }}
      >
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
      </form>
    </Dialog>
  );
  return { confirmed, question };
}
