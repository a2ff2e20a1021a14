import { useTranslate } from "../language/use-language.ts";
import styles from "./section-wait.module.css";

/** In em, so that the lines differ. */
const lines = [14, 18, 12, 16, 10] as const;

const Bar = ({ width }: { width: number }) => <i className={styles.bar} style={{ width: `${width}em` }} />;

/**
 * The place of a part of a page that is still to come: its words, and its shape.
 * @param text what is waited for, as the source language has it
 * @param tiles figures that will stand above its table
 */
export function SectionWait({ text = "正在加载", tiles = 0 }: { text?: string; tiles?: number }) {
  const t = useTranslate();
  return (
    <div className={`card ${styles.wait}`} aria-busy="true">
      <p role="status">{t(text)}</p>
      {tiles > 0 && (
        <div className={styles.tiles} aria-hidden="true">
          {Array.from({ length: tiles }, (_, tile) => tile).map((tile) => (
            <span key={tile}>
              <Bar width={5} />
              <Bar width={3} />
            </span>
          ))}
        </div>
      )}
      <ul aria-hidden="true">
        {lines.map((width) => (
          <li key={width}>
            <Bar width={width} />
            <Bar width={3} />
          </li>
        ))}
      </ul>
    </div>
  );
}
