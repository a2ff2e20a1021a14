import { wechatBindBegin, wechatBindCheck } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./messages.module.css";

const askMs = 2000;

/** A code to scan with WeChat; who follows the official account with it is told by it. */
export function WechatDialog({ onClose, onBound }: { onClose: () => void; onBound: () => void }) {
  const t = useTranslate();
  const [picture, setPicture] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const bound = useRef(onBound);
  bound.current = onBound;
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      timer = setTimeout(() => {
        if (document.hidden) return ask();
        call(wechatBindCheck, { quiet: true }).then(
          (answer) => {
            if (over) return;
            if (answer.bound) bound.current();
            else ask();
          },
          () => !over && ask(),
        );
      }, askMs);
    };
    const begin = async (): Promise<void> => {
      const [{ renderSVG }, { code }] = await Promise.all([import("uqr"), call(wechatBindBegin, { quiet: true })]);
      if (over) return;
      // The demo has no official account and binds at once.
      if (code === "") return bound.current();
      setPicture(`data:image/svg+xml,${encodeURIComponent(renderSVG(code))}`);
      ask();
    };
    begin().catch((error: unknown) => !over && setProblem(tellIn(t, asApiError(error))));
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [t]);
  return (
    <Dialog title={t("绑定微信")} onClose={onClose} footer={<Button onPress={onClose}>{t("取消")}</Button>}>
      {problem ? (
        <p className="state critical" role="alert">
          {problem}
        </p>
      ) : (
        <>
          <p>{t("用微信扫一扫，关注服务号。10 分钟内有效，只能用一次。")}</p>
          {picture && <img className={styles.code} src={picture} alt={t("绑定微信的二维码")} />}
        </>
      )}
    </Dialog>
  );
}
