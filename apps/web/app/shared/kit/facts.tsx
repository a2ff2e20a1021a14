import type { ReactNode } from "react";
import { Mark } from "../icons/mark.tsx";
import styles from "./facts.module.css";

/** One figure with its name and explanation. */
export interface Fact {
  name: string;
  /** "--" while the value is unknown. */
  value: string;
  note: string;
  /** Marks the note, because somebody must act. */
  bad?: boolean;
}

/**
 * Figures in a row.
 * @param label name of the group for screen readers
 * @param children an additional figure in another form
 */
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
