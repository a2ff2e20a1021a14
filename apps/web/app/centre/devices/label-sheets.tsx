import { deviceLabels } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { callResource, type RowPage } from "../../shared/resource/resource-api.ts";
import styles from "./label-sheets.module.css";
import { labelAddress } from "./label-text.ts";

/** Labels that are printed at once: one answer holds as many. */
export const mostLabels = 200;
/** 3 columns of 8 on a sheet of A4. */
const perSheet = 24;

interface SheetLabel {
  id: string;
  name: string;
  serialNumber: string;
  /** Verification code; "" on labels that customers print of what they have bound. */
  code: string;
  /** Address of the QR code's picture. */
  picture: string;
}

/** What a customer's label opens: the device in the list. */
const deviceAddress = (id: string): string => `${location.origin}/selfCenter/equipmentManage/allDevices?row=${id}`;

/** @param withCodes as new labels, which bind; who asked stands in the audit trail */
async function labelsOf(of: ResourceDeclaration, ids: readonly string[], withCodes: boolean): Promise<SheetLabel[]> {
  const { renderSVG } = await import("uqr");
  const query = { ids: ids.join(","), current: 1, size: mostLabels };
  const [{ records }, codes] = await Promise.all([
    callResource<RowPage>(of, "page", { query, quiet: true }),
    withCodes ? call(deviceLabels, { body: { ids: [...ids] }, quiet: true }) : [],
  ]);
  return records.map(({ id, name, serialNumber }) => {
    const code = codes.find((label) => label.serialNumber === serialNumber)?.code ?? "";
    const text = code === "" ? deviceAddress(id) : labelAddress({ serialNumber: String(serialNumber), code });
    const svg = renderSVG(text, { ecc: "M", border: 1 });
    const picture = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return { id, name: String(name), serialNumber: String(serialNumber), code, picture };
  });
}

/** One label: the code to scan, what it is, and its serial number for who can't scan. */
function SheetLabelView({ label: { name, serialNumber, code, picture } }: { label: SheetLabel }) {
  const nameOf = useNames();
  return (
    <li className={styles.label}>
      <img src={picture} alt="" />
      <div>
        <b>{nameOf(name)}</b>
        <span className="num">{serialNumber}</span>
        {code !== "" && <span className={styles.code}>{code}</span>}
      </div>
    </li>
  );
}

const sheetsOf = (labels: readonly SheetLabel[]): SheetLabel[][] =>
  Array.from({ length: Math.ceil(labels.length / perSheet) }, (_, at) =>
    labels.slice(at * perSheet, (at + 1) * perSheet),
  );

interface LabelSheetsProps {
  of: ResourceDeclaration;
  ids: readonly string[];
  withCodes: boolean;
  onClose: () => void;
}

/** Labels of many devices, on sheets of A4. */
export function LabelSheets({ of, ids, withCodes, onClose }: LabelSheetsProps) {
  const t = useTranslate();
  const [labels, setLabels] = useState<readonly SheetLabel[]>();
  const [refused, setRefused] = useState<string>();
  const wanted = ids.join(",");
  useEffect(() => {
    let current = true;
    labelsOf(of, wanted.split(","), withCodes).then(
      (made) => current && setLabels(made),
      (error: unknown) => current && setRefused(tellIn(t, asApiError(error))),
    );
    return () => {
      current = false;
    };
  }, [of, wanted, withCodes, t]);
  const sheets = sheetsOf(labels ?? []);
  return (
    <>
      <Dialog
        title={t("打印标签")}
        onClose={onClose}
        footer={
          <>
            <Refusal text={refused} />
            <Button onPress={onClose}>{t("取消")}</Button>
            <Button kind="primary" icon="sheet" isDisabled={!labels} onPress={() => window.print()}>
              {t("打印")}
            </Button>
          </>
        }
      >
        <div className={styles.dialog}>
          <p className="mut">
            {t("A4 纸，每张 {per} 个标签（3 列 8 行，63 × 34 mm）。打印时请选“实际大小”，不要缩放。", {
              per: perSheet,
            })}
          </p>
          {withCodes && <p className="mut">{t("标签上有验证码：每次查看都会记入操作记录。")}</p>}
          {!labels && !refused && <TableSkeleton rows={3} />}
          {labels && (
            <>
              <p role="status">{t("{count} 个标签，{sheets} 张纸", { count: labels.length, sheets: sheets.length })}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
              <ul className={styles.preview} aria-label={t("标签预览")} tabIndex={0}>
                {labels.slice(0, perSheet).map((label) => (
                  <SheetLabelView key={label.id} label={label} />
                ))}
              </ul>
            </>
          )}
        </div>
      </Dialog>
      {labels &&
        createPortal(
          <div className={styles.paper} aria-hidden="true">
            {sheets.map((sheet) => (
              <ul key={sheet[0]?.id} className={styles.sheet}>
                {sheet.map((label) => (
                  <SheetLabelView key={label.id} label={label} />
                ))}
              </ul>
            ))}
          </div>,
          document.body,
        )}
    </>
  );
}
