import type { ProcessFace, ResourceDeclaration } from "@herdwise/contract/resource";
import type { ReactNode } from "react";
import { Mark, type MarkName } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { RowAct, type RowStep } from "./row-act.tsx";
import styles from "./state-line.module.css";

const dayMs = 86_400_000;

/** Whole days since a moment; 0 where it is not known. */
const daysSince = (value: unknown): number => {
  const since = parseWireDateTime(String(value ?? ""));
  return since === undefined ? 0 : Math.max(0, Math.floor((Date.now() - since) / dayMs));
};

/** A note beside a state that has to be seen. */
export function Marked({ mark, children }: { mark: MarkName; children: ReactNode }) {
  return (
    <span className={`state ${mark} num`}>
      <Mark name={mark} />
      {children}
    </span>
  );
}

/** How late something is, the same words in each list; nothing for what is not. */
export function Late({ since }: { since: unknown }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const from = parseWireDateTime(String(since ?? ""));
  if (from === undefined || from > Date.now()) return null;
  const days = daysSince(since);
  return (
    <Marked mark="major">{days > 0 ? t("晚了 {days} 天", { days }) : t("{time} 已过", { time: dayTime(from) })}</Marked>
  );
}

/** A moment until which something has to happen, or how late it is. */
export function Until({ value }: { value: unknown }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const until = parseWireDateTime(String(value ?? ""));
  if (until === undefined) return null;
  if (until <= Date.now()) return <Late since={value} />;
  return <small className="num">{t("{time} 前", { time: dayTime(until) })}</small>;
}

/** For how long something waits to which nothing is agreed; a long wait is marked. */
export function Waits({ since, long = Number.POSITIVE_INFINITY }: { since: unknown; long?: number }) {
  const t = useTranslate();
  const days = daysSince(since);
  if (days === 0) return null;
  const text = t("等了 {days} 天", { days });
  return days > long ? <Marked mark="major">{text}</Marked> : <small className="num">{text}</small>;
}

type Process = ResourceDeclaration & { readonly process: ProcessFace };

/** What is told of rows beside their state: by when, how late, or why; and the steps that they offer. */
export type Stands = Readonly<
  Record<string, (row: Row) => { note?: ReactNode; mark?: MarkName; steps?: readonly RowStep[] }>
>;

/** The cells of a process: how a row stands and until when somebody has to act, and the buttons to do it. */
export const standing = (of: Process, stands: Stands): Cells => ({
  state: function Standing({ row }) {
    const face = of.process.states[String(row.state)];
    const { note, mark = face?.mark } = stands[String(row.state)]?.(row) ?? {};
    return (
      <span className={styles.state}>
        {face && mark && <StateTag {...face} mark={mark} plain />}
        {note}
      </span>
    );
  },
  acts: function Acts({ row }) {
    return stands[String(row.state)]?.(row).steps?.map((step) => (
      <RowAct key={`${step.event} ${step.word}`} of={of} row={row} step={step} />
    ));
  },
});
