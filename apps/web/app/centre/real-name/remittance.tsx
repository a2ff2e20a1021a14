import {
  type RealNameApplication,
  type RealNameDetail,
  type RemittanceFailure,
  realNameConfirm,
  realNameRemitAgain,
} from "@herdwise/contract";
import { realNameItems } from "@herdwise/contract/real-name-checks";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { failureWords } from "../../shared/real-name/words.ts";
import styles from "./real-name.module.css";
import { ReturnedForm } from "./returned-form.tsx";

const bankFields = realNameItems.enterprise.filter(({ part }) => part === "bank").map(({ field }) => field);

/** An amount of yuan as people type it, in fen; undefined when it is none. */
function fenOf(text: string): number | undefined {
  const [, yuan, decimals = ""] = /^(\d{1,4})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return yuan === undefined ? undefined : Number(yuan) * 100 + Number(decimals.padEnd(2, "0") || 0);
}

/** The 0.01 yuan: where they are, which amount arrived, and what to do when they do not. */
export function Remittance({
  application,
  detail,
  onChanged,
}: {
  application: RealNameApplication;
  detail: RealNameDetail;
  onChanged: () => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { sendsLeft } = detail;
  const [amount, setAmount] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { id, items, remittance } = application;
  const account = items.find(({ field }) => field === "bankAccount")?.value.slice(-4) ?? "";
  const fen = fenOf(amount);
  const state = remittance?.state ?? "ordered";
  const over = state === "failed" || state === "expired";
  const byBank = state === "failed" && remittance?.failure !== "tries";
  const at = (text: string | undefined): string => dayTime(parseWireDateTime(text ?? ""));
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      setAmount("");
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  const reached = { ordered: 0, sent: 1, arrived: 2, confirmed: 3, failed: 1, expired: 1 }[state];
  const lines: readonly { done: boolean; words: string; more: string }[] = [
    {
      done: reached >= 1,
      words: t(reached >= 1 ? "已汇出" : "正在交给银行"),
      more: remittance?.sentTime ? `${at(remittance.sentTime)} · ${remittance.reference}` : "",
    },
    {
      done: reached >= 2,
      words: t(reached >= 2 ? "银行说已到账" : "等银行入账"),
      more: reached >= 2 ? at(remittance?.arrivedTime) : t("一般几分钟，跨行可能 2 小时；到了会发消息"),
    },
    {
      done: reached >= 3,
      words: t("您填收到的金额"),
      more: reached >= 2 ? t("到 {time} 为止", { time: at(remittance?.expireTime) }) : "",
    },
    { done: false, words: t("人工审核"), more: t("1 个工作日") },
  ];
  return (
    <div className={styles.column}>
      <section className={`card ${styles.remit}`} aria-labelledby="remit-title">
        <div className={styles.ask}>
          <h2 id="remit-title">
            {t(over ? "这笔汇款没有成" : state === "arrived" ? "收到了多少？" : "测试汇款在路上")}
          </h2>
          {over ? (
            <p className={styles.why}>
              <Mark name="critical" />
              {t(
                state === "expired"
                  ? "72 小时里没有填金额，或钱没有到"
                  : failureWords[(remittance?.failure || "refused") as RemittanceFailure],
              )}
            </p>
          ) : (
            <p className="mut">
              {t("我们往尾号 {account} 的账户汇了一小笔钱。查一下到账短信或网银，把金额填进来。", { account })}
            </p>
          )}
          {remittance?.sandbox && (
            <p className={styles.sandbox}>
              <Mark name="notice" />
              {t("没有接银行：汇款是模拟的，金额是 0.01 元。")}
            </p>
          )}
          {state === "arrived" && (
            <form
              className={styles.amount}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (fen !== undefined)
                  void act(() => call(realNameConfirm, { body: { id, amountFen: fen }, quiet: true }));
              }}
            >
              <TextField
                id="real-name-amount"
                label={t("到账金额（元）")}
                autoComplete="off"
                maxLength={8}
                value={amount}
                problem={problem ?? (amount !== "" && fen === undefined ? t("填数字，最多两位小数") : undefined)}
                hint={t("还能试 {count} 次", { count: remittance?.triesLeft ?? 0 })}
                onChange={(next) => {
                  setAmount(next);
                  setProblem(undefined);
                }}
              />
              <Button kind="primary" type="submit" isDisabled={busy || fen === undefined}>
                {t("确认金额")}
              </Button>
            </form>
          )}
          {over && problem && (
            <p className="state critical" role="alert">
              {problem}
            </p>
          )}
          {over && (
            <p className={styles.offer}>
              <Button
                kind={byBank ? "plain" : "primary"}
                isDisabled={busy || sendsLeft === 0}
                onPress={() => void act(() => call(realNameRemitAgain, { body: { id }, quiet: true }))}
              >
                {t(byBank ? "账户没错，再汇一次" : "重新汇一次")}
              </Button>
              <span className="mut">{t("24 小时内还能汇 {count} 次", { count: sendsLeft })}</span>
            </p>
          )}
        </div>
        <ol className={styles.stages} aria-live="polite">
          {lines.map(({ done, words, more }, index) => {
            const current = !done && (index === 0 || (lines[index - 1]?.done ?? false));
            const mark: MarkName = done ? "ok" : current ? (over ? "critical" : "notice") : "empty";
            return (
              <li key={words} data-done={done || undefined}>
                <span
                  className={done ? "state ok" : current ? (over ? "state critical" : "state notice") : "state off"}
                >
                  <Mark name={mark} />
                </span>
                <span>
                  <b>{words}</b>
                  {more !== "" && <small className="num">{more}</small>}
                </span>
              </li>
            );
          })}
        </ol>
        <p className={styles.foot}>{t("这笔钱不退，也不进任何账单。")}</p>
      </section>
      {byBank && (
        <ReturnedForm application={application} detail={detail} fields={bankFields} all={false} onSent={onChanged} />
      )}
    </div>
  );
}
