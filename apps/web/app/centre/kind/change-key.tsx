import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./parameters.module.css";

/** What the two lines or bars of a preview stand for. */
export function ChangeKey({ now, before }: { now: string; before: string }) {
  const t = useTranslate();
  return (
    <p className={styles.key}>
      <span>
        <i data-of="now" />
        {t(now)}
      </span>
      <span>
        <i data-of="before" />
        {t(before)}
      </span>
    </p>
  );
}
