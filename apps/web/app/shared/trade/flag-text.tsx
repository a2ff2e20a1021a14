import type { TransitFlag } from "@herdwise/contract";
import { Mark } from "../icons/mark.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const million = 1_000_000;
const marks = { wash: "critical", stop: "major", gap: "minor" } as const;

/** What is to be looked at on a vehicle's way, as a sentence with its time and place. */
export function FlagText({ flag }: { flag: TransitFlag }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime, time, number } = useFormats();
  const { kind, fromMs, toMs, farm, metres, latitude, longitude } = flag;
  const values = {
    from: dayTime(fromMs),
    // A long one ends on another day.
    to: kind === "wash" || toMs - fromMs > dayMs / 2 ? dayTime(toMs) : time(toMs),
    minutes: number(Math.round((toMs - fromMs) / minuteMs)),
    farm: farm === "" ? t("别的猪场") : nameOf(farm),
    metres: number(metres ?? 0),
  };
  const text =
    kind === "wash"
      ? t("{to} 出发时，洗消证已在 {from} 失效", values)
      : kind === "stop"
        ? t("{from}–{to} 在离{farm} {metres} 米处停了 {minutes} 分钟", values)
        : t("{from}–{to} 有 {minutes} 分钟没有位置", values);
  return (
    <>
      <span className={`state ${marks[kind]}`}>
        <Mark name={marks[kind]} />
        <span className="visually-hidden">{t("路线异常")}</span>
      </span>
      <span>
        {text}
        {latitude !== undefined && longitude !== undefined && (
          <small className="num mut">
            {" "}
            {number(latitude / million, 4)}, {number(longitude / million, 4)}
          </small>
        )}
      </span>
    </>
  );
}
