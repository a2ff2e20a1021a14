import { parameterExpiry } from "@herdwise/contract";
import type { Parameter } from "@herdwise/device-kinds";
import { useState } from "react";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { differencesOf } from "./parameter-values.ts";
import { useDifferenceWords } from "./parameter-words.ts";
import styles from "./parameters.module.css";

/** Choices of how long a device that is away is waited for, s. */
const waits: readonly (readonly [seconds: number, name: string])[] = [
  [600, "10 分钟"],
  [3600, "1 小时"],
  [parameterExpiry.usual, "1 天"],
  [604_800, "7 天"],
];

/** One value with what it was and what it becomes. */
export interface SettingChange {
  parameter: Parameter;
  before: unknown;
  after: unknown;
}

/** Every difference in words. */
export function ChangeList({ changes }: { changes: readonly SettingChange[] }) {
  const words = useDifferenceWords();
  const lines = changes.flatMap(({ parameter, before, after }) =>
    differencesOf(parameter, before, after).map((difference) => ({
      key: `${parameter.key} ${difference.row ?? ""} ${difference.column}`,
      ...words(parameter, difference),
    })),
  );
  return (
    <ul className={styles.changes}>
      {lines.map(({ key, name, before, after }) => (
        <li key={key}>
          <span>{name}</span>
          <b className="num">
            {before} → {after}
          </b>
        </li>
      ))}
    </ul>
  );
}

interface SendSettingsProps {
  /** In the chosen language. */
  place: string;
  changes: readonly SettingChange[];
  offline: boolean;
  /** What the kind says of the changes, such as a replay. */
  note?: string | undefined;
  onSend: (expiresInS: number) => Promise<void>;
  onClose: () => void;
}

/** Asks before settings go to a device: what changes, when it holds, and what happens when the device is away. */
export function SendSettings({ place, changes, offline, note, onSend, onClose }: SendSettingsProps) {
  const t = useTranslate();
  const [wait, setWait] = useState(parameterExpiry.usual);
  const [read, setRead] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    await onSend(wait);
  };
  return (
    <Dialog
      title={t("下发到 {place}", { place })}
      alert
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={busy}>
            {t("再看看")}
          </Button>
          <Button kind="primary" onPress={() => void send()} isDisabled={busy || !read}>
            {t("下发")}
          </Button>
        </>
      }
    >
      <ChangeList changes={changes} />
      {note && <p>{note}</p>}
      <p>
        {offline
          ? t("设备离线：改动会排队，设备上线时送达；过了期限就撤回，仍按原来的值。")
          : t("设备在线：下发后立即生效，设备确认后显示“已生效”。")}
      </p>
      <p className={styles.wait}>
        <label htmlFor="setting-wait">{t("最多等设备")}</label>
        <select
          id="setting-wait"
          className="input"
          value={wait}
          onChange={(event) => setWait(Number(event.target.value))}
        >
          {waits.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {t(name)}
            </option>
          ))}
        </select>
      </p>
      <label className={styles.read}>
        <CheckBox checked={read} onChange={(event) => setRead(event.target.checked)} />
        {t("我核对过这些改动，现场可以在面板上改回")}
      </label>
    </Dialog>
  );
}
