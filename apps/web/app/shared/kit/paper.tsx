import type { ReactNode } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./paper.module.css";

interface PaperProps {
  title: ReactNode;
  /** Subject, place and time, below the title. */
  about: ReactNode;
  /** Name and value pairs beside the title. */
  facts: readonly { name: string; value: ReactNode }[];
  /** Signature lines; none where it is empty. */
  signs?: readonly string[];
  children: ReactNode;
}

/** A sheet of A4, shown in the light theme as it will be printed; printing prints only the sheet. */
export function Paper({ title, about, facts, signs = [], children }: PaperProps) {
  return (
    <article className={styles.paper}>
      <header>
        <div>
          <h2>{title}</h2>
          <p>{about}</p>
        </div>
        <dl>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      {children}
      {signs.length > 0 && (
        <p className={styles.signs}>
          {signs.map((sign) => (
            <span key={sign}>{sign}</span>
          ))}
        </p>
      )}
    </article>
  );
}

/** Options above a sheet, and the button that prints it. */
export function PaperBar({ children, disabled = false }: { children?: ReactNode; disabled?: boolean }) {
  const t = useTranslate();
  return (
    <div className={styles.bar}>
      {children}
      <button
        type="button"
        className="btn primary"
        title={t("A4 竖版")}
        disabled={disabled}
        onClick={() => window.print()}
      >
        <Icon name="sheet" small />
        {t("打印")}
      </button>
    </div>
  );
}

export { styles as paperStyles };
