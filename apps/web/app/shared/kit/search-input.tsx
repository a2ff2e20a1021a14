import { type CSSProperties, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./search-input.module.css";
import { widthOfText } from "./text-width.ts";
import { useMedia } from "./use-media.ts";

const typingMs = 300;
/** Room around the words in pixels: the glass before them, and the padding. */
const aroundWords = 56;
/** Words in the input are larger on a phone. */
const phoneScale = 1.25;

interface SearchInputProps {
  /** In the chosen language. */
  label: string;
  /** Stands in the input of a phone that has no room for the label. */
  short?: string | undefined;
  value: string;
  onChange: (word: string) => void;
  /** Id that the shortcut "/" focuses. */
  id?: string;
}

/** A search input that reports its text when typing pauses. */
export function SearchInput({ label, short, value, onChange, id }: SearchInputProps) {
  const t = useTranslate();
  const onPhone = useMedia("(max-width: 760px)");
  const words = widthOfText(label);
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    if (onPhone && box.current) setRoom(box.current.clientWidth - aroundWords);
  }, [onPhone]);
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
    <div
      ref={box}
      className={styles.search}
      style={onPhone ? undefined : ({ "--words": `${Math.ceil(words + aroundWords)}px` } as CSSProperties)}
    >
      <Icon name="search" small />
      <input
        className={styles.input}
        id={id}
        type="search"
        maxLength={64}
        aria-label={label}
        placeholder={onPhone && words * phoneScale > room ? (short ?? t("查找")) : label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") send(text);
        }}
      />
    </div>
  );
}
