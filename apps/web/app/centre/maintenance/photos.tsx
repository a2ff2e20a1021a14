import {
  maintenancePhotoAdd,
  maintenancePhotoList,
  maintenancePhotoRemove,
  mostMaintenancePhotos,
  putFileAttach,
  type UploadedFile,
} from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { IconButton } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./maintenance.module.css";

/** Photos of an entry, above its form. */
export function EntryPhotos({ row }: { row: Row }) {
  const t = useTranslate();
  const mayEdit = useAccess().permissions.has("maintenance_edit");
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const entryId = row.id;
  const { value, error, reload } = useLoad(`maintenance photos ${entryId}`, (signal) =>
    call(maintenancePhotoList, { query: { entryId }, signal, quiet: true }),
  );
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      await work();
      reload();
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
    } finally {
      setBusy(false);
    }
  };
  const add = (file: File): Promise<void> =>
    change(async () => {
      const { name } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "shared" }), file);
      await call(maintenancePhotoAdd, { body: { entryId, name }, quiet: true });
    });
  const photos = value ?? [];
  if (value?.length === 0 && !mayEdit) return null;
  return (
    <section className={styles.photos} aria-label={t("照片")}>
      <h3>{t("照片")}</h3>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("照片")} kept={value !== undefined} />}
      {photos.length > 0 && (
        <ul>
          {photos.map(({ name }, index) => (
            <li key={name}>
              <a href={`/files/${name}`} target="_blank" rel="noreferrer">
                <img src={`/files/${smallPictureOf(name)}`} alt={t("第 {number} 张照片", { number: index + 1 })} />
              </a>
              {mayEdit && (
                <IconButton
                  icon="close"
                  small
                  label={t("去掉第 {number} 张照片", { number: index + 1 })}
                  onPress={() =>
                    void change(() => call(maintenancePhotoRemove, { body: { entryId, name }, quiet: true }))
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayEdit && photos.length < mostMaintenancePhotos && (
        <p>
          <FileButton
            small
            icon="upload"
            isDisabled={busy}
            label={t("加照片")}
            accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
            onPick={([file]) => void add(file)}
          >
            {t(busy ? "正在上传" : "加照片")}
          </FileButton>{" "}
          <small className="mut">
            {t("jpg、bmp、png，最大 5 MB，最多 {most} 张", { most: mostMaintenancePhotos })}
          </small>
        </p>
      )}
      <Refusal text={refused} />
    </section>
  );
}
