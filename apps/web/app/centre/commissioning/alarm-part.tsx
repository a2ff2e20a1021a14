import { type CommissioningItem, commissioningReceivers } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./commissioning.module.css";
import type { OpenList } from "./use-commissioning.ts";

interface Props {
  item: CommissioningItem;
  open: OpenList;
  listId: string;
  disabled: boolean;
  run: (work: () => Promise<void>) => void;
}

/** Sends a test alarm to somebody, and takes the code that arrived. */
export function AlarmPart({ item, open, listId, disabled, run }: Props) {
  const t = useTranslate();
  const nameOf = useNames();
  const [chosen, setChosen] = useState("");
  const [code, setCode] = useState("");
  const {
    value: people,
    error,
    reload,
  } = useLoad(`receivers of ${listId}`, (signal) =>
    call(commissioningReceivers, { query: { id: listId }, signal, quiet: true }),
  );
  const receiver = chosen || item.receiverId || people?.[0]?.accountId || "";
  const isWaiting = item.result === "running";
  return (
    <>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("成员")} kept={people !== undefined} />}
      <label className={styles.field} htmlFor="alarm-receiver">
        <span>{t("发给谁")}</span>
        <Select
          id="alarm-receiver"
          value={receiver}
          options={(people ?? []).map(
            ({ accountId, personName, hasPhone }) =>
              [
                accountId,
                hasPhone ? nameOf(personName) : t("{name}（没有验证过的手机号）", { name: nameOf(personName) }),
              ] as const,
          )}
          onChange={setChosen}
        />
      </label>
      <Button
        kind={isWaiting ? "plain" : "primary"}
        isDisabled={disabled || receiver === ""}
        onPress={() => run(() => open.measure(item.id, { accountId: receiver }))}
      >
        {t(item.result === "open" ? "发测试告警" : "再发一条")}
      </Button>
      {isWaiting && (
        <form
          className={styles.code}
          onSubmit={(event) => {
            event.preventDefault();
            open.act({ itemId: item.id, type: "code", text: code });
            setCode("");
          }}
        >
          <p>{t("已发给 {name}，等他点确认。也可以问他验证码：", { name: nameOf(item.receiverName) })}</p>
          <TextField
            id="alarm-code"
            label={t("4 位验证码")}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            value={code}
            onChange={(text) => setCode(text.replace(/\D/g, ""))}
          />
          <Button type="submit" isDisabled={disabled || code.length < 4}>
            {t("核对")}
          </Button>
        </form>
      )}
    </>
  );
}
