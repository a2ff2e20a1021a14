import { type StoredFile, storedFileOpen, storedFileRemove, storedFileTotals } from "@herdwise/contract";
import { storedFileList } from "@herdwise/contract/lists";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Facts } from "../../shared/kit/facts.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ChosenBar } from "../../shared/resource/bulk-actions.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { showToast } from "../../shared/states/toast-store.ts";

const fileOf = (row: Row): StoredFile => row as unknown as StoredFile;
const kindWords = { picture: "图片", video: "视频", sheet: "表格", other: "其他" } as const;

const cells: Cells = {
  attachSize: function Size({ value }) {
    const { fileSize } = useFormats();
    return <span className="num">{fileSize(Number(value))}</span>;
  },
  personName: ({ value }) => <Translated text={String(value)} />,
  tenantName: ({ value }) => <Translated text={String(value)} />,
  uses: function Uses({ row }) {
    const t = useTranslate();
    const { uses } = fileOf(row);
    if (uses.length === 0) return <span className="mut">{t("没有地方在用")}</span>;
    return uses.map(({ what, title, count, path }, index) => {
      const words = count > 1 ? `${t(what)} × ${count}` : t(what);
      return (
        <span key={what}>
          {index > 0 && " · "}
          {path === "" ? words : <Link to={path}>{words}</Link>}
          {title !== "" && (
            <small className="mut">
              {" "}
              <Translated text={title} />
            </small>
          )}
        </span>
      );
    });
  },
};

/** The stored files of everybody: how much they take, where each is used, and removing those that nothing refers to. */
export default function Attachments() {
  const t = useTranslate();
  const client = useQueryClient();
  const { fileSize, number } = useFormats();
  const { permissions } = useAccess();
  const list = useList(storedFileList);
  const [removing, setRemoving] = useState<readonly string[]>();
  const mayRemove = permissions.has("attachment_delete");
  const totals = useQuery({
    queryKey: [...keysOf(storedFileList), "totals"],
    queryFn: ({ signal }) => call(storedFileTotals, { signal, quiet: true }),
  }).data;
  const save = async (file: StoredFile): Promise<void> => {
    const { url } = await call(storedFileOpen, { body: { id: file.id } });
    window.open(url, "_blank", "noopener");
  };
  const remove = async (ids: readonly string[]): Promise<void> => {
    const { removed } = await call(storedFileRemove, { body: { ids: ids.join(",") } });
    showToast({ kind: "ok", text: "已删除 {count} 个文件", values: { count: removed } });
    list.selection.clear();
    void client.invalidateQueries({ queryKey: keysOf(storedFileList) });
  };
  return (
    <>
      <ListScreen
        list={list}
        cells={cells}
        choosable={mayRemove}
        actions={(row) => {
          const file = fileOf(row);
          return [
            ...(permissions.has("attachment_download")
              ? [
                  {
                    id: "save",
                    icon: "download" as const,
                    name: t("下载"),
                    onAction: () => void save(file).catch(() => undefined),
                  },
                ]
              : []),
            ...(mayRemove && file.uses.length === 0
              ? [
                  {
                    id: "remove",
                    icon: "trash" as const,
                    name: t("删除"),
                    danger: true,
                    onAction: () => setRemoving([file.id]),
                  },
                ]
              : []),
          ];
        }}
        nothing="有人上传或导出文件后，会出现在这里。"
        note={
          totals?.length === 1 &&
          totals.map(({ kind, bytes, unusedFiles }) => (
            <span key={kind} className="num">
              {t("一共占用 {size}", { size: fileSize(bytes) })}
              {unusedFiles > 0 && ` · ${t("{count} 个没有地方在用", { count: number(unusedFiles) })}`}
            </span>
          ))
        }
        bulk={
          <ChosenBar count={list.selection.count} onClear={list.selection.clear}>
            <Button small kind="danger" onPress={() => setRemoving([...list.selection.ids])}>
              {t("删除")}
            </Button>
          </ChosenBar>
        }
      >
        {totals && totals.length > 1 && (
          <Facts
            label={t("占用")}
            facts={totals.map(({ kind, files, bytes, unusedFiles, unusedBytes }) => ({
              name: t(kindWords[kind]),
              value: fileSize(bytes),
              note: t("{count} 个，其中 {unused} 个没有地方在用（{size}）", {
                count: files,
                unused: number(unusedFiles),
                size: fileSize(unusedBytes),
              }),
            }))}
          />
        )}
      </ListScreen>
      {removing && (
        <Confirm
          title={t("删除 {count} 个文件？", { count: removing.length })}
          action={t("删除")}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t("文件会彻底删除，不能恢复。还有地方在用的文件删不掉，那样一个也不会删。")}</p>
        </Confirm>
      )}
    </>
  );
}
