import { type CommissioningItem, putFileAttach, type UploadedFile } from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./commissioning.module.css";
import type { OpenList } from "./use-commissioning.ts";

/** Words and a photo beside an answer. */
export function NotePart({ item, open }: { item: CommissioningItem; open: OpenList }) {
  const t = useTranslate();
  const [text, setText] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { lostAtMs } = open;
  const upload = async (file: File): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      const { name } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "shared" }), file);
      open.act({ itemId: item.id, type: "note", photo: name });
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <details className={styles.note} open={item.note !== "" || item.photo !== "" || undefined}>
      <summary>{t("备注和照片")}</summary>
      <label>
        <span>{t("备注")}</span>
        <textarea
          className="input"
          rows={2}
          maxLength={500}
          value={text ?? item.note}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {item.photo !== "" && (
        <a href={`/files/${item.photo}`} target="_blank" rel="noreferrer">
          <img src={`/files/${smallPictureOf(item.photo)}`} alt={t("照片")} />
        </a>
      )}
      <p className={styles.acts}>
        <Button
          isDisabled={text === undefined || text === item.note}
          onPress={() => {
            open.act({ itemId: item.id, type: "note", note: text ?? "" });
            setText(undefined);
          }}
        >
          {t("记下")}
        </Button>
        <FileButton
          icon="upload"
          isDisabled={busy || lostAtMs !== undefined}
          label={t("加照片")}
          accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
          onPick={([file]) => void upload(file)}
        >
          {t(busy ? "正在上传" : "加照片")}
        </FileButton>
      </p>
      {lostAtMs !== undefined && <p className="mut">{t("没有网络：备注先存在手机上，照片等有网络再加。")}</p>}
      <Refusal text={refused} />
    </details>
  );
}
