import { type FirmwarePackage, firmwareBytes, firmwareUpload } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./firmware.module.css";

/** A package for a kind of device. */
export function UploadPackage({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const [kind, setKind] = useState("");
  const [title, setTitle] = useState("");
  const [version, setVersion] = useState("");
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const tooLarge = file !== undefined && file.size > firmwareBytes;
  const ready = kind !== "" && title.trim() !== "" && version.trim() !== "" && file !== undefined && !tooLarge;
  const send = async (): Promise<void> => {
    if (!file) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const query = { kind, title: title.trim(), version: version.trim() };
      await uploadFile<FirmwarePackage>(addressOf(firmwareUpload, query), file);
      showToast({ kind: "ok", text: "上传成功" });
      onDone();
      onClose();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("上传固件包")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={!ready || busy} onPress={() => void send()}>
            {t(busy ? "正在上传" : "上传")}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {problem && (
          <p className="state critical" role="alert">
            {problem}
          </p>
        )}
        <SelectField
          id="firmware-kind"
          label={t("设备类型")}
          required
          value={kind}
          options={[["", "请选择"], ...kindList.map((listed) => [listed.kind, listed.name.zh] as const)]}
          onChange={setKind}
        />
        <TextField
          id="firmware-title"
          label={t("固件名称")}
          required
          autoComplete="off"
          maxLength={64}
          value={title}
          onChange={setTitle}
        />
        <TextField
          id="firmware-version"
          label={t("版本")}
          required
          autoComplete="off"
          maxLength={64}
          value={version}
          hint={t("同一类型、名称下，版本不能重复，也不能替换。")}
          onChange={setVersion}
        />
        <div className="form-field">
          <label htmlFor="firmware-file">{t("文件")}</label>
          <input id="firmware-file" type="file" onChange={(event) => setFile(event.target.files?.[0])} />
          <p className={tooLarge ? "state critical" : "f-hint"}>
            {tooLarge
              ? t("文件有 {size}，最大 32 MB", { size: fileSize(file.size) })
              : t("最大 32 MB；服务器会算出校验值，设备下载后核对。")}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
