import { type FirmwarePackage, firmwareBytes, firmwareUpload } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { useState } from "react";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";

/** A package for a kind of device. */
export function UploadPackage({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const [kind, setKind] = useState("");
  const [title, setTitle] = useState("");
  const [version, setVersion] = useState("");
  const [file, setFile] = useState<File>();
  const submission = useSubmission();
  const tooLarge = file !== undefined && file.size > firmwareBytes;
  const ready = kind !== "" && title.trim() !== "" && version.trim() !== "" && file !== undefined && !tooLarge;
  return (
    <FormDialog
      title={t("上传固件包")}
      action={t(submission.busy ? "正在上传" : "上传")}
      ready={ready}
      of={submission}
      send={() => {
        const query = { kind, title: title.trim(), version: version.trim() };
        return uploadFile<FirmwarePackage>(addressOf(firmwareUpload, query), file as File);
      }}
      onDone={() => {
        showToast({ kind: "ok", text: "上传成功" });
        onDone();
      }}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
