import { type Profile, putFileAttach, type UploadedFile, updateInfo, uploadRules } from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./basic-info.module.css";

const extensions = /\.(jpe?g|bmp|png)$/i;
const { maxBytes } = uploadRules.picture;

/** The portal may be open under another name than the one that the server calls itself by. */
const hereOf = (link: string): string => new URL(smallPictureOf(link), location.href).pathname;

/** The picture of a person, which colleagues see; the first letter of the name where there is none. */
export function Avatar({ profile, onSaved }: { profile: Profile; onSaved: () => void }) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const name = profile.realName || profile.nickName || profile.account;
  const save = async (avatar: string, text: string): Promise<void> => {
    await call(updateInfo, { body: { avatar }, quiet: true });
    showToast({ kind: "ok", text });
    onSaved();
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      await work();
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  const take = (file: File): void => {
    const wrong = !extensions.test(file.name)
      ? t("请选 jpg、jpeg、bmp 或 png 图片")
      : file.size > maxBytes
        ? t("图片有 {size}，最大 5 MB", { size: fileSize(file.size) })
        : undefined;
    setRefused(wrong);
    if (wrong !== undefined) return;
    void attempt(async () => {
      const { link } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "shared" }), file);
      await save(link, "头像已更换");
    });
  };
  return (
    <section className={`card ${styles.avatar}`} aria-label={t("头像")}>
      {profile.avatar === "" ? (
        <span className={styles.letter} aria-hidden="true">
          {[...name][0]}
        </span>
      ) : (
        <img src={hereOf(profile.avatar)} alt={t("您的头像")} width={72} height={72} />
      )}
      <div>
        <b>{name}</b>
        <div className={styles.picks}>
          <FileButton
            icon="upload"
            isDisabled={busy}
            label={t("选头像图片")}
            accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
            onPick={([file]) => take(file)}
          >
            {t(busy ? "正在上传" : profile.avatar === "" ? "上传头像" : "换头像")}
          </FileButton>
          {profile.avatar !== "" && (
            <Button kind="quiet" isDisabled={busy} onPress={() => void attempt(() => save("", "头像已去掉"))}>
              {t("去掉")}
            </Button>
          )}
        </div>
        <small className="mut">{t("jpg、bmp、png，最大 5 MB；正方形最好看")}</small>
        <Problem id="avatar-problem" text={refused} />
      </div>
    </section>
  );
}
