import { type ReplyOf, regionExport, regionImport, regionTemplate, regionUndoImport } from "@herdwise/contract";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { downloadFile } from "../../shared/api/download-file.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./regions.module.css";

type Result = ReplyOf<typeof regionImport>;

/** Imports a sheet of divisions: it is tried first, and what was stored can be taken back. */
export function ImportRegions({ onImported, onClose }: { onImported: () => void; onClose: () => void }) {
  const t = useTranslate();
  const { number } = useFormats();
  const [covers, setCovers] = useState(false);
  const [file, setFile] = useState<File>();
  const [tried, setTried] = useState<Result>();
  const [stored, setStored] = useState<Result>();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const during = async (work: () => Promise<void>): Promise<void> => {
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
  const send = (sheet: File, isTry: boolean, isCovered: boolean): Promise<Result> =>
    uploadFile<Result>(addressOf(regionImport, { isCovered: isCovered ? 1 : 0, isTry: isTry ? 1 : 0 }), sheet);
  const attempt = (sheet: File, isCovered: boolean): Promise<void> =>
    during(async () => {
      setTried(undefined);
      setTried(await send(sheet, true, isCovered));
    });
  const store = (): Promise<void> =>
    during(async () => {
      if (!file) return;
      setStored(await send(file, false, covers));
      onImported();
    });
  const undo = (): Promise<void> =>
    during(async () => {
      if (!stored) return;
      await call(regionUndoImport, { body: { importId: stored.importId }, quiet: true });
      showToast({ kind: "ok", text: "导入已撤销" });
      onImported();
      onClose();
    });
  const result = stored ?? tried;
  const counts = result && {
    added: number(result.added),
    changed: number(result.changed),
    problems: number(result.problems.length),
  };
  return (
    <Dialog
      title={t("导入区划")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          {stored ? (
            <>
              <Button isDisabled={busy} onPress={() => void undo()}>
                {t("撤销这次导入")}
              </Button>
              <Button kind="primary" onPress={onClose}>
                {t("完成")}
              </Button>
            </>
          ) : (
            <>
              <Button onPress={onClose}>{t("取消")}</Button>
              <Button
                kind="primary"
                isDisabled={busy || !tried || tried.problems.length > 0}
                onPress={() => void store()}
              >
                {t("导入")}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className={styles.steps}>
        {!stored && (
          <>
            <div>
              <Button
                icon="download"
                onPress={() => void during(() => downloadFile(regionTemplate.path, `${t("行政区划模板")}.xlsx`))}
              >
                {t("下载模板")}
              </Button>
              <Button
                icon="download"
                onPress={() => void during(() => downloadFile(regionExport.path, `${t("行政区划")}.xlsx`))}
              >
                {t("下载现有区划")}
              </Button>
            </div>
            <label className="check">
              <CheckBox
                checked={covers}
                onChange={({ target }) => {
                  setCovers(target.checked);
                  if (file) void attempt(file, target.checked);
                }}
              />{" "}
              {t("编号已存在的，改成表里的名称")}
            </label>
            <div>
              <FileButton
                icon="upload"
                label={t("选择表格")}
                accept=".xlsx,.csv"
                isDisabled={busy}
                onPick={([sheet]) => {
                  setFile(sheet);
                  void attempt(sheet, covers);
                }}
              >
                {file ? file.name : t("选择表格")}
              </FileButton>
            </div>
          </>
        )}
        {busy && <p className="mut">{t("正在检查")}</p>}
        {counts && (
          <p role="status">
            {stored
              ? t("已导入：新增 {added} 个，修改 {changed} 个。", counts)
              : t("会新增 {added} 个，修改 {changed} 个；{problems} 处有错。还没有保存。", counts)}
          </p>
        )}
        {tried && !stored && tried.problems.length > 0 && (
          <ul className={styles.problems}>
            {tried.problems.map(({ row, text }) => (
              <li key={row}>{t("第 {row} 行：{problem}", { row: number(row), problem: t(text) })}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
