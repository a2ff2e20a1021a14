import { type TelemetryExportFormat, telemetryExport } from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { DayRange } from "../../shared/kit/day-range.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import "./export-dialog.css";
import type { Span } from "./span.ts";

const dayMs = 86_400_000;

const formats = [
  ["xlsx", "Excel"],
  ["csv", "CSV"],
] as const satisfies readonly (readonly [TelemetryExportFormat, string])[];

interface ExportDialogProps {
  deviceId: string;
  /** Keys that the chart shows, with their names. */
  shown: readonly { key: string; name: string }[];
  /** What the chart shows. */
  span: Pick<Span, "spanMs" | "endMs">;
  onClose: () => void;
}

/** Asks which raw values of a device are wanted, and begins their export. */
export function ExportDialog({ deviceId, shown, span, onClose }: ExportDialogProps) {
  const t = useTranslate();
  const language = useLanguage();
  const [endMs] = useState(() => span.endMs ?? Date.now());
  const [days, setDays] = useState({ from: shanghaiDay(endMs - span.spanMs), to: shanghaiDay(endMs) });
  const [all, setAll] = useState(true);
  const [format, setFormat] = useState<TelemetryExportFormat>("xlsx");
  const [busy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    try {
      // A refusal shows as a toast, and the question stays open.
      await call(telemetryExport, {
        body: {
          ids: [deviceId],
          ...(!all && { keys: shown.map(({ key }) => key) }),
          start: shanghaiMidnight(days.from),
          end: shanghaiMidnight(days.to) + dayMs,
          format,
          language,
        },
      });
      tellJobBegun();
      showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      onClose();
    } catch {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("导出原始数据")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={busy}>
            {t("取消")}
          </Button>
          <Button kind="primary" onPress={() => void begin()} isDisabled={busy}>
            {t("导出")}
          </Button>
        </>
      }
    >
      <div className="export-choices">
        <fieldset>
          <legend>{t("时间范围")}</legend>
          <p className="num">
            {days.from} – {days.to}
          </p>
          <DayRange from={days.from} to={days.to} onChange={(from, to) => setDays({ from, to })} />
        </fieldset>
        <fieldset>
          <legend>{t("数值")}</legend>
          <label>
            <input type="radio" name="values" checked={all} onChange={() => setAll(true)} />
            {t("设备上报的全部数值")}
          </label>
          <label>
            <input type="radio" name="values" checked={!all} onChange={() => setAll(false)} />
            <span>
              {t("图上的数值")}
              <small>{shown.map(({ name }) => name).join(language === "zh" ? "、" : ", ")}</small>
            </span>
          </label>
        </fieldset>
        <fieldset className="in-a-row">
          <legend>{t("格式")}</legend>
          {formats.map(([id, name]) => (
            <label key={id}>
              <input type="radio" name="format" checked={format === id} onChange={() => setFormat(id)} />
              {name}
            </label>
          ))}
        </fieldset>
        <p className="note">{t("原始数据保留一段时间后会删除，更早的只有汇总。一行是设备的一条上报。")}</p>
      </div>
    </Dialog>
  );
}
