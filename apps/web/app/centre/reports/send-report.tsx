import { type QueryOf, type reportDetail, reportReaders, reportSend } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { Waiting } from "../../shared/states/waiting.tsx";
import styles from "./report.module.css";

/** Asks who is to be told of a report, and tells them. */
export function SendReport({ report, onClose }: { report: QueryOf<typeof reportDetail>; onClose: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const readers = useLoad("report readers", (signal) => call(reportReaders, { signal, quiet: true }));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      // A refusal shows as a toast, and the question stays open.
      const { sent } = await call(reportSend, { body: { ...report, accountIds: [...chosen] } });
      showToast({ kind: "ok", text: "已发给 {count} 人，他们会收到消息", values: { count: sent } });
      onClose();
    } catch {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={report.period === "week" ? t("把周报发给谁") : t("把日报发给谁")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={busy}>
            {t("取消")}
          </Button>
          <Button kind="primary" isDisabled={busy || chosen.length === 0} onPress={() => void send()}>
            {t("发送")}
          </Button>
        </>
      }
    >
      {readers.error && <LoadingProblem error={readers.error} onRetry={readers.reload} what={t("成员")} />}
      {!readers.value && !readers.error && <Waiting />}
      {readers.value?.length === 0 && <p className="mut">{t("本单位还没有别人能看报告。")}</p>}
      <ul className={styles.readers}>
        {readers.value?.map(({ id, personName }) => (
          <li key={id}>
            <label>
              <CheckBox
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              {nameOf(personName)}
            </label>
          </li>
        ))}
      </ul>
      <p className="mut">{t("对方在站内消息里收到，点开就是这份报告。")}</p>
    </Dialog>
  );
}
