import { commissioningConfirm } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./commissioning.module.css";
import { commissioningPath } from "./words.ts";

/** Where the message of a test alarm leads: its reader says that it arrived. */
export function ConfirmAlarm({ itemId }: { itemId: string }) {
  const t = useTranslate();
  const [state, setState] = useState<"asked" | "busy" | "done">("asked");
  const [refused, setRefused] = useState<string>();
  const confirm = async (): Promise<void> => {
    setState("busy");
    setRefused(undefined);
    try {
      await call(commissioningConfirm, { body: { itemId }, quiet: true });
      setState("done");
    } catch (problem) {
      const error = asApiError(problem);
      setRefused(error.code === 404 ? t("这条测试告警已经过了，或不是发给您的。") : tellIn(t, error));
      setState("asked");
    }
  };
  return (
    <>
      <div className="page-head">
        <h1>{t("测试告警")}</h1>
      </div>
      <section className={`card ${styles.confirm}`}>
        {state === "done" ? (
          <>
            <p className="state ok" role="status">
              <Mark name="ok" />
              {t("已确认，现场的人看到了。谢谢。")}
            </p>
            <Link className="btn" to={commissioningPath}>
              {t("所有单元")}
            </Link>
          </>
        ) : (
          <>
            <p>{t("现场在调试新设备，想知道告警到不到您的手机。没有出事。")}</p>
            <Button kind="primary" isDisabled={state === "busy"} onPress={() => void confirm()}>
              {t("我收到了")}
            </Button>
            <Refusal text={refused} />
          </>
        )}
      </section>
    </>
  );
}
