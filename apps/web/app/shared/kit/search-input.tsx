import { useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import styles from "./search-input.module.css";

const typingMs = 300;

interface SearchInputProps {
  /** In the chosen language. */
  label: string;
  value: string;
  onChange: (word: string) => void;
  /** Where "/" leads. */
  id?: string;
}

/** A word to look for. It is sent when typing pauses, not at every stroke. */
export function SearchInput({ label, value, onChange, id }: SearchInputProps) {
  const [text, setText] = useState(value);
  /** What is known outside: the value that came, or what was sent and has not come back yet. */
  const sent = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  const send = useCallback((word: string): void => {
    sent.current = word;
    latest.current(word);
  }, []);
  useEffect(() => {
    // What was sent comes back a moment later, and by then more may be typed.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => send(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, send]);
  return (
    <div className={styles.search}>
      <Icon name="search" small />
      <input
        className={styles.input}
        id={id}
        type="search"
        maxLength={64}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") send(text);
        }}
      />
    </div>
  );
}
