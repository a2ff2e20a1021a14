import type { Import } from "@herdwise/contract";
import { type ResourceDeclaration, writtenFieldsOf } from "@herdwise/contract/resource";
import { useId, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { Refusal } from "../forms/refusal.tsx";
import { Select } from "../forms/select.tsx";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import styles from "./import.module.css";
import { callImport } from "./import-api.ts";
import { letterOf, parentColumn, sheetNameOf } from "./sheet-places.ts";

interface SourceDialogProps {
  of: ResourceDeclaration;
  held: Import;
  onBegun: (begun: Import) => void;
  onClose: () => void;
}

/** Chooses the sheet, the row with the headings and what each column is, where they were not found or found wrong. */
export function SourceDialog({ of, held, onBegun, onClose }: SourceDialogProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const id = useId();
  const { source } = held;
  const [sheet, setSheet] = useState(source.sheet);
  const [headerRow, setHeaderRow] = useState(source.headerRow);
  const known = Object.fromEntries(held.columns.map(({ column, field }) => [column, field]));
  const [matched, setMatched] = useState<Readonly<Record<number, string>>>(known);
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const otherSheet = sheet !== source.sheet;
  const otherRow = !otherSheet && headerRow !== source.headerRow;
  const fields: [name: string, label: string][] = [
    ...(of.tree ? [[parentColumn.field, parentColumn.label] as [string, string]] : []),
    ...writtenFieldsOf(of).map(([name, { label }]): [string, string] => [name, label]),
  ];
  const heading = source.start.find(({ rowNumber }) => rowNumber === headerRow);
  const below = source.start.filter(({ rowNumber }) => rowNumber > headerRow);
  const width = Math.max(heading?.texts.length ?? 0, ...below.map(({ texts }) => texts.length));
  const used = Object.values(matched).filter((field) => field !== "");
  const twice = fields.find(([name]) => used.filter((field) => field === name).length > 1);
  const missing = of.sheets && !used.includes(of.sheets.key) ? of.fields[of.sheets.key]?.label : undefined;
  const read = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    const columns = Object.entries(matched).map(([column, field]) => ({ column: Number(column), field }));
    try {
      const body = {
        id: held.id,
        sheet,
        ...(!otherSheet && { headerRow }),
        ...(!otherSheet && !otherRow && { columns }),
      };
      onBegun(await callImport<Import>(of, "reread", { body }));
      onClose();
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
      setBusy(false);
    }
  };
  const problem =
    otherSheet || otherRow
      ? undefined
      : twice
        ? t("“{label}”选了两列", { label: t(twice[1]) })
        : missing && t("还没有选哪一列是“{label}”", { label: t(missing) });
  return (
    <Dialog
      size="wide"
      title={t("选表、表头和列")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused ?? problem} />
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={busy || problem !== undefined} onPress={() => void read()}>
            {t("按这样读")}
          </Button>
        </>
      }
    >
      <div className={styles.source}>
        <p className="mut">{t("重新读会丢掉已经改过的格子。选过的列会记住，下次同样的表头不用再选。")}</p>
        {source.sheets.length > 1 && (
          <p className={styles.pick}>
            <label htmlFor={`${id}-sheet`}>{t("工作表")}</label>
            <Select
              id={`${id}-sheet`}
              value={sheet}
              options={source.sheets.map(
                (one, at) =>
                  [
                    at,
                    [
                      sheetNameOf(t, one.name),
                      one.hidden && t("隐藏"),
                      t("{count} 个认识的表头", { count: number(one.headings) }),
                    ]
                      .filter(Boolean)
                      .join(" · "),
                  ] as const,
              )}
              onChange={setSheet}
            />
          </p>
        )}
        {otherSheet ? (
          <p>{t("先读这张表，它的表头和列读出来后可以再改。")}</p>
        ) : (
          <>
            <fieldset className={styles.heads}>
              <legend>{t("表头在哪一行")}</legend>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
              <section className={styles.start} aria-label={t("表格的前几行，可左右滚动")} tabIndex={0}>
                {source.start.map(({ rowNumber, texts }) => (
                  <label key={rowNumber} data-chosen={rowNumber === headerRow || undefined}>
                    <input
                      type="radio"
                      name={`${id}-row`}
                      checked={rowNumber === headerRow}
                      onChange={() => setHeaderRow(rowNumber)}
                    />
                    <b className="num">{rowNumber}</b>
                    {texts.map((text, column) => (
                      <span key={column}>{text}</span>
                    ))}
                  </label>
                ))}
              </section>
            </fieldset>
            {otherRow ? (
              <p>{t("换了表头，先按这一行读，列读出来后可以再改。")}</p>
            ) : (
              <fieldset className={styles.heads}>
                <legend>{t("每一列是什么")}</legend>
                <ul className={styles.columns}>
                  {Array.from({ length: width }, (_, column) => {
                    const text = heading?.texts[column] ?? "";
                    const sample = below.map(({ texts }) => texts[column] ?? "").find((one) => one !== "") ?? "";
                    return (
                      <li key={column}>
                        <label htmlFor={`${id}-${column}`}>
                          <i>{letterOf(column)}</i> {text || t("没有表头")}
                          <small>{sample || "\u00a0"}</small>
                        </label>
                        <Select
                          id={`${id}-${column}`}
                          value={matched[column] ?? ""}
                          options={[["", "不导入"], ...fields]}
                          onChange={(name) => setMatched({ ...matched, [column]: name })}
                        />
                      </li>
                    );
                  })}
                </ul>
              </fieldset>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
