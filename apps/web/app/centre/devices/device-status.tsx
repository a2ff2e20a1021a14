import type { DeviceStatus } from "@herdwise/contract";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { statusMarks, statusNames } from "./device-words.ts";

/** Shape and word of a device's status. */
export function DeviceStatusMark({ status }: { status: DeviceStatus }) {
  const t = useTranslate();
  const { mark, tone } = statusMarks[status];
  return (
    <span className={`state ${tone}`}>
      <Mark name={mark} />
      {t(statusNames[status])}
    </span>
  );
}

/** Whether a device reports, apart from whether it holds a connection: one that does only that is worth a look. */
export function DeviceReport({ status, connected }: { status: DeviceStatus; connected: boolean }) {
  const t = useTranslate();
  const silent = status === "offline" && connected;
  const { mark, tone } = silent ? ({ mark: "minor", tone: "minor" } as const) : statusMarks[status];
  const word = status === "online" ? "按时上报" : silent ? "连着，没有数据" : statusNames[status];
  return (
    <span className={`state ${tone}`}>
      <Mark name={mark} />
      {t(word)}
    </span>
  );
}
