import { useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import styles from "./search-input.module.css";

const typingMs = 300;

interface SearchInputProps {
  /** In the chosen language. */
  label: string;
  value: string;
  onChange: (word: string) => void;
  /** Id that the shortcut "/" focuses. */
  id?: string;
}

/** A search input that reports its text when typing pauses. */
export function SearchInput({ label, value, onChange, id }: SearchInputProps) {
  const [text, setText] = useState(value);
  /** The last value from outside, or the one that was reported and has not come back yet. */
  const sent = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  const send = useCallback((word: string): void => {
    sent.current = word;
    latest.current(word);
  }, []);
  useEffect(() => {
    // A reported value comes back later, when more may have been typed, so it must not replace the text.
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
