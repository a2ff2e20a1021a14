import { useTranslate } from "../language/use-language.ts";
import styles from "./section-wait.module.css";

/** The place of a part of a page that is still to come. @param text what is waited for, as the source language has it */
export function SectionWait({ text = "正在加载" }: { text?: string }) {
  const t = useTranslate();
  return (
    <div className={`card ${styles.wait}`} aria-busy="true">
      <span className="visually-hidden" role="status">
        {t(text)}
      </span>
    </div>
  );
}
