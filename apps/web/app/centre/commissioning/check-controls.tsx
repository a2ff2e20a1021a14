import type { Commissioning, CommissioningItem } from "@herdwise/contract";
import { useState } from "react";
import { TextField } from "../../shared/forms/fields.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LabelScanner } from "../devices/label-scanner.tsx";
import { AlarmPart } from "./alarm-part.tsx";
import styles from "./commissioning.module.css";
import type { OpenList } from "./use-commissioning.ts";

interface Props {
  item: CommissioningItem;
  list: Commissioning;
  open: OpenList;
  /** Runs a call and shows what is refused. */
  run: (work: () => Promise<void>) => void;
  busy: boolean;
}

function LabelPart({ item, open }: Pick<Props, "item" | "open">) {
  const t = useTranslate();
  const [text, setText] = useState("");
  const send = (label: string): void => {
    open.act({ itemId: item.id, type: "label", text: label });
    setText("");
  };
  return (
    <form
      className={styles.code}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") send(text);
      }}
    >
      <LabelScanner onLabel={({ serialNumber }) => send(serialNumber)} />
      <TextField
        id="label-seen"
        label={t("标签上的序列号")}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={setText}
      />
      <Button kind="primary" type="submit" isDisabled={text.trim() === ""}>
        {t("核对")}
      </Button>
    </form>
  );
}

function MachinePart({ item, open, run, disabled }: Props & { disabled: boolean }) {
  const t = useTranslate();
  const language = useLanguage();
  const { permissions } = useAccess();
  const [asking, setAsking] = useState(false);
  if (!permissions.has("device_command"))
    return <p className="mut">{t("没有下发指令的权限，请能下发指令的人来测这一项")}</p>;
  return (
    <>
      <Button kind="primary" isDisabled={disabled} onPress={() => setAsking(true)}>
        {t(item.result === "open" ? "启动试一下" : "再试一次")}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t("启动{part}？", { part: item.partName[language] })}
          action={t("启动")}
          kind="primary"
          onConfirm={() => {
            setAsking(false);
            run(() => open.measure(item.id, { confirmed: true }));
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t("风机马上启动，人和工具先离开。测完自动交还控制器，最多 3 分钟。")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** What a person does about a check. */
export function CheckControls(props: Props) {
  const { item, list, open, run, busy } = props;
  const t = useTranslate();
  const { id, check, result } = item;
  const lost = open.lostAtMs !== undefined;
  const disabled = busy || lost || result === "running";
  const needsNetwork = lost && ["link", "settings", "machines", "alarm"].includes(check);
  return (
    <div className={styles.controls}>
      {check === "label" && <LabelPart key={id} item={item} open={open} />}
      {check === "fixed" && (
        <p className={styles.yesNo}>
          <Button kind="primary" onPress={() => open.act({ itemId: id, type: "answer", passed: true })}>
            {t("是，装好了")}
          </Button>
          <Button onPress={() => open.act({ itemId: id, type: "answer", passed: false })}>{t("不是")}</Button>
        </p>
      )}
      {(check === "link" || check === "settings") && (
        <Button kind="primary" isDisabled={disabled} onPress={() => run(() => open.measure(id))}>
          {t(result === "open" ? "现在读" : "再读一次")}
        </Button>
      )}
      {check === "probe" && result !== "running" && (
        <Button kind="primary" onPress={() => open.act({ itemId: id, type: "warm" })}>
          {t(result === "open" ? "我握住了，开始" : "再测一次")}
        </Button>
      )}
      {check === "machines" && <MachinePart {...props} disabled={disabled} />}
      {check === "alarm" && (
        <AlarmPart key={id} item={item} open={open} listId={list.id} disabled={busy || lost} run={run} />
      )}
      {(check === "probe" || check === "machines") && result !== "running" && result !== "absent" && (
        <Button kind="link" onPress={() => open.act({ itemId: id, type: "absent" })}>
          {t("这里没有装")}
        </Button>
      )}
      {needsNetwork && <p className="mut">{t("这一项要有网络才能测，先做别的。")}</p>}
    </div>
  );
}
