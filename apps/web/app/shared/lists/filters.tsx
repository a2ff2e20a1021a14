import { useEffect, useRef, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { TranslatedOption } from "../language/translated.tsx";

const typingMs = 300;

interface PickerProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** One condition of a list, out of few; the label stands for "any". */
export function Picker({ label, value, options, onChange }: PickerProps) {
  return (
    <select className="chip" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{label}</option>
      {options.map(([key, name]) => (
        <TranslatedOption key={key} value={key} text={name} />
      ))}
    </select>
  );
}

interface WordFieldProps {
  label: string;
  value: string;
  onChange: (word: string) => void;
}

/** A word to look for. It is sent when typing pauses, not at every stroke. */
export function WordField({ label, value, onChange }: WordFieldProps) {
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
    <div className="search">
      <Icon name="search" small />
      <input
        className="input"
        type="search"
        maxLength={64}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
