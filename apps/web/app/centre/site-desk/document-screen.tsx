import { documentFilePath, documentMaxBytes, documentPublish, documentUpload } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./site-desk.module.css";

const resource = { name: "product_document" };
const listPath = "/content/document";

const cells: Cells = {
  state: function State({ value }) {
    const t = useTranslate();
    const published = value === "published";
    return (
      <span className={`state ${published ? "ok" : "notice"}`}>
        <Mark name={published ? "ok" : "notice"} />
        {t(published ? "已发布" : "草稿")}
      </span>
    );
  },
};

/** The file of a document: what there is, and another in its place. */
function DocumentFile({ row }: { row: Row }) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  const client = useQueryClient();
  const mayEdit = useAccess().permissions.has("product_document_edit");
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const pages = Number(row.pages ?? 0);
  const has = pages > 0;
  const isPublished = row.state === "published";
  const change = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setRefused(undefined);
    setBusy(true);
    try {
      await work();
      showToast({ kind: "ok", text: done });
      await client.invalidateQueries({ queryKey: keysOf(resource) });
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
    } finally {
      setBusy(false);
      if (input.current) input.current.value = "";
    }
  };
  const send = async (file: File): Promise<void> => {
    if (file.size > documentMaxBytes) setRefused(t("文件有 {size}，最大 20 MB", { size: fileSize(file.size) }));
    else await change(() => uploadFile(addressOf(documentUpload, { id: row.id }), file), "上传成功");
  };
  const publish = (published: boolean) =>
    change(
      () => call(documentPublish, { body: { id: row.id, published }, quiet: true }),
      published ? "已发布" : "已撤下，改回草稿",
    );
  return (
    <section className={styles.part} aria-label={t("文件")}>
      <p className={styles.fact}>
        <Icon name="sheet" small />
        {has ? (
          <span className="num">
            {t("PDF，{pages} 页，{size}", { pages, size: fileSize(Number(row.fileBytes ?? 0)) })}
          </span>
        ) : (
          <span>{t("还没有文件。上传 PDF 之后才能发布。")}</span>
        )}
      </p>
      <p className={styles.buttons}>
        {mayEdit && (
          <>
            <input
              ref={input}
              className="visually-hidden"
              type="file"
              tabIndex={-1}
              aria-label={t("PDF 文件")}
              accept=".pdf,application/pdf"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) void send(file);
              }}
            />
            {has && (
              <Button
                small
                {...(!isPublished && { kind: "primary" })}
                isDisabled={busy}
                onPress={() => void publish(!isPublished)}
              >
                {t(isPublished ? "撤下" : "发布")}
              </Button>
            )}
            <Button small icon="upload" isDisabled={busy} onPress={() => input.current?.click()}>
              {t(busy ? "正在上传" : has ? "换一个 PDF" : "上传 PDF")}
            </Button>
          </>
        )}
        {has && isPublished && (
          <a className="link" href={documentFilePath(row.id)}>
            {t("下载 PDF")}
          </a>
        )}
      </p>
      {mayEdit && <small className="mut">{t("最大 20 MB，不能有打开密码；页数和文字会自动读出来。")}</small>}
      <Refusal text={refused} />
    </section>
  );
}

/** Documents about products, each with its file; a new one opens at once, so that its file can follow. */
export function DocumentScreen({ of }: { of: ResourceDeclaration }) {
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      cells={cells}
      detail={DocumentFile}
      onAdded={({ id }) => void navigate(`${listPath}?row=${id}`)}
    />
  );
}
