import { mostStructureRows, structureExport, structureImport } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { uploadSheet } from "../../shared/imports/import-api.ts";
import { wasText } from "../../shared/imports/problem-sheet.tsx";
import { SheetPicker } from "../../shared/imports/sheet-picker.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./tree-sheet.module.css";

type Report = Awaited<ReturnType<typeof importSheet>>;

const importSheet = async (file: File) =>
  call(structureImport, { body: { attachId: await uploadSheet(file) }, quiet: true });

/** Begins an export of the whole structure as a job. */
export async function exportTree(): Promise<void> {
  // A refusal shows as a toast.
  await call(structureExport).then(
    () => {
      tellJobBegun();
      showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
    },
    () => undefined,
  );
}

interface CellsProps {
  /** What is told of them. */
  of: string;
  /** Heads the column of what is told. */
  words: string;
  cells: readonly { row: number; column: string; told: string }[];
}

/** Cells of the sheet, by row and column, with what is told of each; nothing where there are none. */
function Cells({ of, words, cells }: CellsProps) {
  const t = useTranslate();
  if (cells.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles.problems} tabIndex={0} aria-label={of}>
      <table>
        <caption>{of}</caption>
        <thead>
          <tr>
            <th scope="col">{t("行")}</th>
            <th scope="col">{t("列")}</th>
            <th scope="col">{words}</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ row, column, told }, at) => (
            // Problems of one cell stand as often as they are told.
            <tr key={at}>
              <td className="num">{row}</td>
              <td>
                {column
                  .split("：")
                  .map((part) => t(part))
                  .join(" · ")}
              </td>
              <td>{told}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One sheet with all farms, houses and units: written whole, or not at all with what is wrong in which row and column. */
export function ImportTree({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useTranslate();
  const { number } = useFormats();
  const [report, setReport] = useState<Report>();
  const [file, setFile] = useState<File>();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const send = async (): Promise<void> => {
    if (file === undefined) return;
    setReport(undefined);
    let found: Report | undefined;
    const taken = await submit(async () => {
      found = await importSheet(file);
    });
    setReport(found);
    if (taken && found?.problems.length === 0) onDone();
  };
  const problems = report?.problems ?? [];
  return (
    <Dialog
      title={t("导入整个猪场")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t(report && problems.length === 0 ? "完成" : "取消")}</Button>
          <Button kind="primary" icon="upload" isDisabled={busy || file === undefined} onPress={() => void send()}>
            {t(busy ? "正在导入" : "导入")}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles.import}>
        <p>
          {t(
            "一张表里有场区、猪舍和单元：先导出，改好后再导入。按编号找到已有的来改，没有的就新增；有一处错，整张表都不写入。最多 {most} 行。",
            { most: number(mostStructureRows) },
          )}
        </p>
        <SheetPicker
          file={file}
          onPick={(picked) => {
            setReport(undefined);
            setFile(picked);
          }}
        />
        <div role="status" aria-live="polite">
          {report && problems.length === 0 && (
            <p className="state ok">
              {t("已导入：新增 {added} 个，修改 {changed} 个，{unchanged} 个没有变化", {
                added: number(report.added),
                changed: number(report.changed),
                unchanged: number(report.unchanged),
              })}
            </p>
          )}
          {problems.length > 0 && (
            <p className="state critical">
              {t("有 {count} 处要改，什么都没有写入", { count: number(problems.length) })}
            </p>
          )}
        </div>
        <Cells
          of={t("要改的地方")}
          words={t("问题")}
          cells={problems.map((problem) => ({ ...problem, told: tellIn(t, problem) }))}
        />
        <Cells
          of={t("按规则改写的单元格")}
          words={t("按此理解")}
          cells={(report?.understood ?? []).map((cell) => ({
            ...cell,
            told: `${cell.text}（${wasText(t, cell.before, cell.text)}）`,
          }))}
        />
      </div>
    </Dialog>
  );
}
