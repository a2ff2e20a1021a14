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
