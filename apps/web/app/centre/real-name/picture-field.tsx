import { putFileAttach, ticketIssue, type UploadedFile } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Label } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import styles from "./real-name.module.css";

/** product.md 5 */
const mostBytes = 5 * 1024 * 1024;
const extensions = /\.(jpe?g|bmp|png)$/i;

/** A look at one of the own private pictures; "" while it comes or when it can't be had. */
function useOwnPicture(id: string): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    setAddress("");
    if (id === "") return;
    const cancel = new AbortController();
    call(ticketIssue, { body: { id }, signal: cancel.signal, quiet: true }).then(
      ({ url }) => {
        // The portal may be open under another name than the one that the server calls itself by.
        const { pathname, search } = new URL(url, location.href);
        if (!cancel.signal.aborted) setAddress(pathname + search);
      },
      () => undefined,
    );
    return () => cancel.abort();
  }, [id]);
  return address;
}

interface PictureFieldProps {
  id: string;
  label: string;
  required?: boolean;
  /** Id of the file; "" for none. */
  value: string;
  hint?: string;
  problem?: string | undefined;
  onChange: (fileId: string) => void;
}

/** A picture that only its sender and the reviewers see: chosen or dropped, uploaded at once, and shown. */
export function PictureField({ id, label, required = false, value, hint, problem, onChange }: PictureFieldProps) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<{ fileId: string; name: string; size: number; address: string }>();
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string>();
  const fresh = chosen?.fileId === value ? chosen : undefined;
  const kept = useOwnPicture(fresh ? "" : value);
  useEffect(() => () => URL.revokeObjectURL(chosen?.address ?? ""), [chosen]);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (!extensions.test(file.name)) return setRefused(t("请选 jpg、jpeg、bmp 或 png 图片"));
    if (file.size > mostBytes) return setRefused(t("图片有 {size}，最大 5 MB", { size: fileSize(file.size) }));
    setBusy(true);
    setRefused(undefined);
    try {
      const { attachId } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "private" }), file);
      setChosen({ fileId: attachId, name: file.name, size: file.size, address: URL.createObjectURL(file) });
      onChange(attachId);
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
      if (input.current) input.current.value = "";
    }
  };
  const address = fresh?.address ?? kept;
  const wrong = refused ?? problem;
  return (
    <div className={`form-field ${styles.picture}`}>
      <Label id={id} label={label} required={required} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the drop is an extra; the button does the same */}
      <div
        className={styles.drop}
        data-over={over || undefined}
        data-filled={value !== "" || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        {address !== "" && <img src={address} alt={t("{label}的预览", { label })} />}
        <input
          ref={input}
          id={id}
          className={styles.file}
          type="file"
          accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-problem ${id}-hint`}
          onChange={(event) => void take(event.target.files?.[0])}
        />
        <div className={styles.dropLine}>
          {value === "" ? (
            <p className="mut" id={`${id}-hint`}>
              {hint ?? t("拍清楚，四角完整；jpg、bmp、png，最大 5 MB")}
            </p>
          ) : (
            <p id={`${id}-hint`}>
              <StateTag plain mark="ok" word="已上传" />{" "}
              {fresh && (
                <span className="mut">
                  {fresh.name} · {fileSize(fresh.size)}
                </span>
              )}
            </p>
          )}
          <Button icon="upload" isDisabled={busy} onPress={() => input.current?.click()}>
            {t(busy ? "正在上传" : value === "" ? "选择图片" : "换一张")}
          </Button>
        </div>
      </div>
      <Problem id={`${id}-problem`} text={wrong} />
    </div>
  );
}
