import { shanghaiDay } from "@herdwise/contract/shanghai";
import type { ReactNode } from "react";
import { DayInput, MomentInput } from "../kit/day-input.tsx";
import { Problem } from "./problem.tsx";

/** Half past seven of tomorrow in Shanghai, as `MomentField` has it: when people begin to read. */
export const tomorrowMorning = (): string => `${shanghaiDay(Date.now() + 24 * 3_600_000)} 07:30`;

interface DateFieldProps {
  id: string;
  /** In the chosen language. */
  label: string;
  value: string;
  problem?: string | undefined;
  /** Under the field while nothing is wrong. */
  hint?: string | undefined;
  readOnly?: boolean | undefined;
  onChange: (value: string) => void;
}

const partsOf = ({ id, value, problem, readOnly, label, onChange }: DateFieldProps) => ({
  id,
  value,
  problem,
  onChange,
  describedBy: `${id}-problem`,
  ...(readOnly && { locked: label }),
});

function Around({ id, label, problem, hint, children }: DateFieldProps & { children: ReactNode }) {
  return (
    <div className="form-field">
      <div className="f-head">
        <span id={`${id}-label`}>{label}</span>
      </div>
      {children}
      <Problem id={`${id}-problem`} text={problem} />
      {hint && problem === undefined && <p className="f-hint">{hint}</p>}
    </div>
  );
}

/** A day, yyyy-MM-dd, "" for none, with its label and what is wrong with it. */
export function DayField(props: DateFieldProps) {
  return (
    <Around {...props}>
      <DayInput {...partsOf(props)} />
    </Around>
  );
}

/** A day and a time in Shanghai, yyyy-MM-dd HH:mm, "" for none. @param clearable whether none may be chosen again */
export function MomentField({ clearable = false, ...props }: DateFieldProps & { clearable?: boolean }) {
  return (
    <Around {...props}>
      <MomentInput {...partsOf(props)} clearable={clearable} />
    </Around>
  );
}
