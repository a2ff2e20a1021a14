import { mostWorkOrderPhotos, putFileAttach, type UploadedFile, uploadRules } from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
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

const isVideo = (name: string): boolean => name.endsWith(".mp4");
/** What is chosen and what it may weigh; the server looks at the content. */
const ruleOf = (file: File) =>
  /^video\//.test(file.type) || /\.(mp4|mov)$/i.test(file.name) ? uploadRules.video : uploadRules.picture;

/** A picture, small, or a video that is played where it stands. */
function Shown({ name, number }: { name: string; number: number }) {
  const t = useTranslate();
  if (isVideo(name))
    return (
      // biome-ignore lint/a11y/useMediaCaption: what customers film has no captions
      <video
        src={`/files/${name}`}
        controls
        playsInline
        preload="metadata"
        aria-label={t("第 {number} 段视频", { number })}
      />
    );
  return <img src={`/files/${smallPictureOf(name)}`} alt={t("第 {number} 张照片", { number })} loading="lazy" />;
}

/** Pictures of an entry, small, each the way to the whole one, and its videos. */
export function Photos({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <ul className={styles.photos}>
      {names.map((name, index) => (
        <li key={name}>
          {isVideo(name) ? (
            <Shown name={name} number={index + 1} />
          ) : (
            <a href={`/files/${name}`} target="_blank" rel="noreferrer">
              <Shown name={name} number={index + 1} />
            </a>
          )}
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

/** Chooses pictures and videos, uploads them at once, and shows them. */
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
        const { maxBytes } = ruleOf(file);
        if (file.size > maxBytes)
          throw new Error(t("文件有 {size}，最大 {most}", { size: fileSize(file.size), most: fileSize(maxBytes) }));
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
              <Shown name={name} number={index + 1} />
              <IconButton
                icon="close"
                small
                label={t("去掉第 {number} 个文件", { number: index + 1 })}
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
          label={t("加照片或视频")}
          accept=".jpg,.jpeg,.bmp,.png,.mp4,.mov,image/jpeg,image/png,image/bmp,video/mp4,video/quicktime"
          onPick={(files) => void add(files)}
        >
          {t(busy ? "正在上传" : "加照片或视频")}
        </FileButton>
      )}
      <Refusal text={refused} />
    </div>
  );
}
