import { mostWorkOrderPhotos, putFileAttach, smallPicturePx, type UploadedFile } from "@herdwise/contract";
import { useRef, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { addressOf } from "../api/send.ts";
import { uploadFile } from "../api/upload-file.ts";
import { Refusal } from "../forms/refusal.tsx";
import { IconButton } from "../kit/button.tsx";
import { FileButton } from "../kit/file-button.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import styles from "./work-orders.module.css";

/** The small version of a picture. */
const smallPictureOf = (name: string): string => name.replace(/\.(jpg|png)$/, `-${smallPicturePx}.$1`);
/** product.md 5 */
const mostBytes = 5 * 1024 * 1024;

/** Pictures of an entry, small, each the way to the whole one. */
export function Photos({ names }: { names: readonly string[] }) {
  const t = useTranslate();
  if (names.length === 0) return null;
  return (
    <ul className={styles.photos}>
      {names.map((name, index) => (
        <li key={name}>
          <a href={`/files/${name}`} target="_blank" rel="noreferrer">
            <img
              src={`/files/${smallPictureOf(name)}`}
              alt={t("第 {number} 张照片", { number: index + 1 })}
              loading="lazy"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface PhotosInputProps {
  /** Names as the upload answered them. */
  value: readonly string[];
  onChange: (names: readonly string[]) => void;
  disabled?: boolean;
}

/** Chooses pictures, uploads them at once, and shows them. */
export function PhotosInput({ value, onChange, disabled = false }: PhotosInputProps) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const latest = useRef(value);
  latest.current = value;
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const add = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      for (const file of files.slice(0, mostWorkOrderPhotos - latest.current.length)) {
        if (file.size > mostBytes) throw new Error(t("图片有 {size}，最大 5 MB", { size: fileSize(file.size) }));
        const { name } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "shared" }), file);
        latest.current = [...latest.current, name];
        onChange(latest.current);
      }
    } catch (error) {
      setRefused(error instanceof Error && !("code" in error) ? error.message : tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.photosInput}>
      {value.length > 0 && (
        <ul className={styles.photos}>
          {value.map((name, index) => (
            <li key={name}>
              <img src={`/files/${smallPictureOf(name)}`} alt={t("第 {number} 张照片", { number: index + 1 })} />
              <IconButton
                icon="close"
                small
                label={t("去掉第 {number} 张照片", { number: index + 1 })}
                onPress={() => onChange(value.filter((one) => one !== name))}
              />
            </li>
          ))}
        </ul>
      )}
      {value.length < mostWorkOrderPhotos && (
        <FileButton
          icon="upload"
          multiple
          isDisabled={busy || disabled}
          label={t("加照片")}
          accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
          onPick={(files) => void add(files)}
        >
          {t(busy ? "正在上传" : "加照片")}
        </FileButton>
      )}
      <Refusal text={refused} />
    </div>
  );
}
