import type { ReactNode } from "react";
import { Mark } from "../icons/mark.tsx";
import styles from "./facts.module.css";

/** One figure of a desk with its name and what it means. */
export interface Fact {
  name: string;
  /** "--" while it is not known. */
  value: string;
  note: string;
  /** Whether somebody has to act: the note is marked. */
  bad?: boolean;
}

/** The figures of a desk in a row. @param label what they are of @param children one more, of another form */
export function Facts({ label, facts, children }: { label: string; facts: readonly Fact[]; children?: ReactNode }) {
  return (
    <section className={`card ${styles.facts}`} aria-label={label}>
      {facts.map(({ name, value, note, bad }) => (
        <div key={name}>
          <span>{name}</span>
          <b className="num">{value}</b>
          <small className={bad ? "state major" : undefined}>
            {bad && <Mark name="major" />}
            {note}
          </small>
        </div>
      ))}
      {children}
    </section>
  );
}
