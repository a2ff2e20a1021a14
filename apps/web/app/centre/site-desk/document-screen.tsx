import {
  documentFilePath,
  documentMaxBytes,
  documentPreviewLink,
  documentPublish,
  documentUpload,
  type ReplyOf,
} from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Nothing } from "../../shared/resource/cell.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { stateCell } from "../../shared/resource/state-cell.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { FilePreview } from "./file-preview.tsx";
import { FileRowScreen } from "./file-row-screen.tsx";
import styles from "./site-desk.module.css";
import { useSiteFileWork } from "./use-site-file-work.ts";

const resource = { name: "product_document" };

const cells: Cells = {
  state: stateCell({
    draft: { word: "草稿", mark: "notice" },
    published: { word: "已发布", mark: "ok" },
  }),
  fileBytes: function Size({ value }) {
    const { fileSize } = useFormats();
    return Number(value) > 0 ? <span className="num">{fileSize(Number(value))}</span> : <Nothing />;
  },
};

/** The file of a document: what there is, and another in its place. */
function DocumentFile({ row }: { row: Row }) {
  const t = useTranslate();
  const { dayTime, fileSize } = useFormats();
  const mayEdit = useAccess().permissions.has("product_document_edit");
  const { busy, refused, refuse, run } = useSiteFileWork(resource);
  const [preview, setPreview] = useState<ReplyOf<typeof documentPreviewLink>>();
  const pages = Number(row.pages ?? 0);
  const has = pages > 0;
  const isPublished = row.state === "published";
  const send = async (file: File): Promise<void> => {
    if (file.size > documentMaxBytes) refuse(t("文件有 {size}，最大 20 MB", { size: fileSize(file.size) }));
    else await run(() => uploadFile(addressOf(documentUpload, { id: row.id }), file), "上传成功");
  };
  const look = () =>
    run(async () => setPreview(await call(documentPreviewLink, { body: { id: row.id }, quiet: true })));
  const publish = (published: boolean) =>
    run(
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
            <FileButton
              small
              icon="upload"
              isDisabled={busy}
              label={t("PDF 文件")}
              accept=".pdf,application/pdf"
              onPick={([file]) => void send(file)}
            >
              {t(busy ? "正在上传" : has ? "换一个 PDF" : "上传 PDF")}
            </FileButton>
          </>
        )}
        {has && (
          <Button small icon="eye" isDisabled={busy} onPress={() => void look()}>
            {t("预览")}
          </Button>
        )}
        {has && isPublished && (
          <a className="link" href={documentFilePath(row.id)}>
            {t("下载 PDF")}
          </a>
        )}
      </p>
      {mayEdit && <small className="mut">{t("最大 20 MB，不能有打开密码；页数和文字会自动读出来。")}</small>}
      <Refusal text={refused} />
      {preview && (
        <FilePreview
          about={t("有这个链接的人不用登录就能看到这份文件，到 {time} 为止。", {
            time: dayTime(parseWireDateTime(preview.expiresAt)),
          })}
          beside={
            <a className="btn" href={preview.file}>
              {t("下载 PDF")}
            </a>
          }
          onClose={() => setPreview(undefined)}
        >
          <ol className={styles.sheets}>
            {preview.pages.map((address, at) => (
              <li key={address}>
                <img src={address} alt={t("第 {page} 页", { page: at + 1 })} loading="lazy" />
              </li>
            ))}
          </ol>
        </FilePreview>
      )}
    </section>
  );
}

/** Documents about products. */
export function DocumentScreen({ of }: { of: ResourceDeclaration }) {
  return <FileRowScreen of={of} cells={cells} detail={DocumentFile} />;
}
