import type { ReactNode } from "react";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats } from "../language/use-language.ts";
import styles from "./process.module.css";

interface HistoryLine {
  id: string;
  createTime: string;
  /** What happened, in the chosen language. */
  text: ReactNode;
  /** Beside it, in smaller type. */
  note?: ReactNode;
  /** Words that somebody gave for it. */
  body?: string;
  more?: ReactNode;
  /** At the end of the line. */
  beside?: ReactNode;
}

/** What happened to something, in the order given, each line with its time. */
export function HistoryLines({ lines }: { lines: readonly HistoryLine[] }) {
  const { dayTime } = useFormats();
  return (
    <ol className={styles.history}>
      {lines.map(({ id, createTime, text, note, body = "", more, beside }) => (
        <li key={id}>
          <time className="num">{dayTime(parseWireDateTime(createTime))}</time>
          <div>
            <p>
              {text}
              {note && <small className="mut">{note}</small>}
            </p>
            {body !== "" && (
              <p className={styles.said}>
                <Translated text={body} />
              </p>
            )}
            {more}
          </div>
          {beside && <span className={styles.beside}>{beside}</span>}
        </li>
      ))}
    </ol>
  );
}
