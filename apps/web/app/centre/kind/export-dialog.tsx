import {
  type DownloadResolution,
  type HistoryFormat,
  longestDownloadDays,
  telemetryDownload,
  telemetryExport,
} from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { downloadFile } from "../../shared/api/download-file.ts";
import { addressOf } from "../../shared/api/send.ts";
import { Button } from "../../shared/kit/button.tsx";
import { DayRange } from "../../shared/kit/day-range.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import "./export-dialog.css";
import type { Span } from "./span.ts";

const dayMs = 86_400_000;

/** Excel is made by a job, the others are sent at once. */
type Format = "xlsx" | HistoryFormat;
const formats = [
  ["xlsx", "Excel"],
  ["csv", "CSV"],
  ["ndjson", "JSON Lines"],
  ["parquet", "Parquet"],
] as const satisfies readonly (readonly [Format, string])[];

const resolutions = [
  ["raw", "原始值"],
  ["minute", "按分钟"],
  ["hour", "按小时"],
  ["day", "按日"],
] as const satisfies readonly (readonly [DownloadResolution, string])[];

interface ExportDialogProps {
  deviceId: string;
  /** Keys that the chart shows, with their names. */
  shown: readonly { key: string; name: string }[];
  /** What the chart shows. */
  span: Pick<Span, "spanMs" | "endMs">;
  onClose: () => void;
}

/** Asks which values of a device are wanted, and begins their export. */
export function ExportDialog({ deviceId, shown, span, onClose }: ExportDialogProps) {
  const t = useTranslate();
  const language = useLanguage();
  const [endMs] = useState(() => span.endMs ?? Date.now());
  const [days, setDays] = useState({ from: shanghaiDay(endMs - span.spanMs), to: shanghaiDay(endMs) });
  const [all, setAll] = useState(true);
  const [format, setFormat] = useState<Format>("xlsx");
  const [resolution, setResolution] = useState<DownloadResolution>("raw");
  const [busy, setBusy] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = shanghaiMidnight(days.from);
  const end = shanghaiMidnight(days.to) + dayMs;
  const download = async (of: HistoryFormat): Promise<void> => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const query = {
      ids: deviceId,
      ...(!all && { keys: shown.map(({ key }) => key).join() }),
      start,
      end,
      resolution,
      format: of,
      language,
    };
    const name = `${days.from} ${days.to} ${t(resolutions.find(([id]) => id === resolution)?.[1] ?? "")}.${of}`;
    try {
      await downloadFile(addressOf(telemetryDownload, query), name, signal);
    } catch (error) {
      if (!signal.aborted) {
        const { text, values } = error instanceof ApiError ? error : new ApiError(0, "网络连接失败，请检查网络后重试");
        showToast({ kind: "error", text, values });
      }
      throw error;
    }
  };
  const begin = async (): Promise<void> => {
    setBusy(true);
    try {
      // A refusal shows as a toast, and the question stays open.
      if (format !== "xlsx") await download(format);
      else {
        const keys = shown.map(({ key }) => key);
        await call(telemetryExport, { body: { ids: [deviceId], ...(!all && { keys }), start, end, format, language } });
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      }
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
        {format !== "xlsx" && (
          <fieldset className="in-a-row">
            <legend>{t("粒度")}</legend>
            {resolutions.map(([id, name]) => (
              <label key={id}>
                <input type="radio" name="resolution" checked={resolution === id} onChange={() => setResolution(id)} />
                {t(name)}
              </label>
            ))}
          </fieldset>
        )}
        <p className="note">
          {format === "xlsx"
            ? t("原始数据保留一段时间后会删除，更早的只有汇总。一行是设备的一条上报。")
            : t("直接下载可信的读数，最长 {days} 天；汇总有最小、平均、最大三列。", {
                days: longestDownloadDays[resolution],
              })}
        </p>
      </div>
    </Dialog>
  );
}
