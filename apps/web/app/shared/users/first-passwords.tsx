import { userFirstPasswords } from "@herdwise/contract";
import { useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Button } from "../kit/button.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { tellJobBegun } from "../session/job-begun.ts";
import { FaultBanner } from "../states/fault-banner.tsx";
import { showToast } from "../states/toast-store.ts";

/** Makes the sheet of first passwords of the users that an import added. */
export function FirstPasswords({ importId }: { importId: string }) {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const make = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call(userFirstPasswords, { body: { importId }, quiet: true });
      tellJobBegun();
      showToast({ kind: "ok", text: "正在生成首次密码，完成后在顶栏和消息里下载" });
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p>
        {t("新增的用户还不能登录。生成首次密码后，每人一个随机密码，首次登录须修改；再生成一次，还没登录的人换新的。")}
      </p>
      {problem && <FaultBanner text={problem} />}
      <Button kind="primary" icon="key" isDisabled={busy} onPress={() => void make()}>
        {t("生成首次密码")}
      </Button>
    </>
  );
}
