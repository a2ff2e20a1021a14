import { useEffect, useRef, useState } from "react";
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
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value]);
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
          if (event.key === "Enter") latest.current(text);
        }}
      />
    </div>
  );
}
