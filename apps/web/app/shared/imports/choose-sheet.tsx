import type { Import } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useId, useState } from "react";
import { DropZone } from "react-aria-components/DropZone";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { asApiError } from "../api/api-error.ts";
import { Icon } from "../icons/icon.tsx";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import styles from "./import.module.css";
import { callImport, openFile, uploadSheet } from "./import-api.ts";
import { pastedCells } from "./pasted-sheet.ts";
import { isSheetName, sheetExtensions } from "./sheet-places.ts";

const mostBytes = 20 * 1024 * 1024;

interface ChooseSheetProps {
  of: ResourceDeclaration;
  onBegun: (begun: Import) => void;
}

/** First step: a file that is picked or dropped, or rows that are pasted. */
export function ChooseSheet({ of, onBegun }: ChooseSheetProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const language = useLanguage();
  const pasteId = useId();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [pasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState("");
  const [existing, setExisting] = useState<"update" | "refuse">("update");
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  const begin = (file: File | undefined): void => {
    if (!file) return;
    const wrong = !isSheetName(file.name)
      ? t("“{name}”不是能读的表格，可以是 xlsx、xls、ods、csv、txt、html、xml", { name: file.name })
      : file.size > mostBytes
        ? t("文件超过 20 MB，请拆成几份")
        : undefined;
    setProblem(wrong);
    if (wrong !== undefined) return;
    void attempt(async () =>
      onBegun(await callImport<Import>(of, "begin", { body: { attachId: await uploadSheet(file), existing } })),
    );
  };
  const beginPasted = (): void =>
    void attempt(async () => {
      const { sheetOfCells } = await import("./sheet-of-cells.ts");
      const file = sheetOfCells(pastedCells(pasted), `${t("粘贴的表格")}.xlsx`);
      setPasting(false);
      onBegun(await callImport<Import>(of, "begin", { body: { attachId: await uploadSheet(file), existing } }));
    });
  const template = (filled: boolean): void =>
    void attempt(async () => {
      const { attachId } = await callImport<{ attachId: string }>(of, "template", { body: { filled, language } });
      await openFile(attachId);
    });
  const key = of.sheets ? of.fields[of.sheets.key]?.label : undefined;
  const rows = pastedCells(pasted);
  return (
    <section className="card" aria-labelledby="choose-title">
      <header>
        <h2 id="choose-title">{t("选表格")}</h2>
      </header>
      <div className={styles.choose}>
        <DropZone
          className={styles.drop ?? ""}
          isDisabled={busy}
          getDropOperation={(types) => (types.has("Files") || !types.has("text/plain") ? "copy" : "cancel")}
          onDrop={({ items }) => {
            const item = items.find((held) => held.kind === "file");
            if (item?.kind === "file") void item.getFile().then(begin);
          }}
        >
          <Icon name="sheet" />
          <div>
            <h3>{t(busy ? "正在上传" : "把表格拖到这里")}</h3>
            <p>
              {t("xlsx、xls、ods、csv、txt、html 和 xml 都可以，也可以直接复制粘贴。最多 {rows} 行，20 MB。", {
                rows: number(of.sheets?.maxRows ?? 0),
              })}
            </p>
            <div className={styles.row}>
              <FileTrigger acceptedFileTypes={sheetExtensions} onSelect={(files) => begin(files?.[0])}>
                <Button kind="primary" icon="upload" isDisabled={busy}>
                  {t("选文件")}
                </Button>
              </FileTrigger>
              <Button icon="copy" isDisabled={busy} onPress={() => setPasting(true)}>
                {t("粘贴表格")}
              </Button>
            </div>
            {problem && (
              <p className={styles.problem} role="alert">
                <Mark name="major" />
                {problem}
              </p>
            )}
          </div>
        </DropZone>
        <div className={styles.template}>
          <h3>{t("模板")}</h3>
          <ul>
            <li>{t("表头在前 20 行里找，中文英文都可以，顺序可以变；多出的列不导入")}</li>
            {of.process ? (
              <li>{t("每一行新登记一条，不改已有的；后面步骤的列可以整组空着")}</li>
            ) : (
              key && existing === "update" && <li>{t("{one}已存在就更新那一条，空格子不覆盖原值", { one: t(key) })}</li>
            )}
            <li>{t("检查时什么都不写入，改好再导")}</li>
          </ul>
          {of.process === undefined && (
            <label className={styles.existing}>
              <input
                type="checkbox"
                checked={existing === "refuse"}
                onChange={(event) => setExisting(event.target.checked ? "refuse" : "update")}
              />
              {t("只新增，已有的当作有问题")}
            </label>
          )}
          <div className={styles.row}>
            <Button small icon="download" isDisabled={busy} onPress={() => template(false)}>
              {t("空模板")}
            </Button>
            {of.process === undefined && (
              <Button small icon="download" isDisabled={busy} onPress={() => template(true)}>
                {t("带现有数据的模板")}
              </Button>
            )}
          </div>
        </div>
      </div>
      {pasting && (
        <Dialog
          size="wide"
          title={t("粘贴表格")}
          onClose={() => setPasting(false)}
          footer={
            <>
              <span className="mut">{t("{count} 行，第 1 行是表头", { count: number(rows.length) })}</span>
              <Button onPress={() => setPasting(false)}>{t("取消")}</Button>
              <Button kind="primary" isDisabled={rows.length < 2 || busy} onPress={beginPasted}>
                {t("检查")}
              </Button>
            </>
          }
        >
          <label htmlFor={pasteId}>{t("在表格里连表头一起复制，粘贴到下面")}</label>
          <textarea
            id={pasteId}
            className={styles.paste}
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
          />
        </Dialog>
      )}
    </section>
  );
}
