import { useId } from "react";
import styles from "./process.module.css";

interface NextStepsProps {
  /** In the chosen language. */
  title: string;
  /** What happens and how soon, in order. */
  steps: readonly (readonly [what: string, note: string])[];
  /** How many of them are done, where something is under way. */
  done?: number;
}

/** What happens after a form is sent, or how far it is. */
export function NextSteps({ title, steps, done }: NextStepsProps) {
  const id = useId();
  return (
    <section className={`card ${styles.side}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol className={styles.next}>
        {steps.map(([what, note], index) => (
          <li
            key={what}
            data-done={(done !== undefined && index < done) || undefined}
            aria-current={index === done ? "step" : undefined}
          >
            <b>{what}</b>
            <span>{note}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
