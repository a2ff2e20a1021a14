import type { AlarmKnown } from "@herdwise/contract";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";

/** Somebody knows of the alarm: until when, and who. The same mark in every place. */
export function KnownMark({ known: { untilMs, by } }: { known: AlarmKnown }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { time } = useFormats();
  return (
    <span className={"state aside known"}>
      <Mark name="aside" />
      <span>
        {by === ""
          ? t("已知到 {time}", { time: time(untilMs) })
          : t("{name} 已知到 {time}", { name: nameOf(by), time: time(untilMs) })}
      </span>
    </span>
  );
}
