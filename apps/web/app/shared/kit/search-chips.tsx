import { useContext, useEffect, useEffectEvent, useState } from "react";
import { ComboBox, ComboBoxStateContext } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { Problem } from "../forms/problem.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Chips } from "./chips.tsx";
import own from "./search-chips.module.css";
import styles from "./search-choice.module.css";
import { FoundOptions, type SearchOption } from "./search-choice.tsx";

const typingMs = 200;

interface SearchChipsProps {
  id: string;
  label: string;
  value: readonly string[];
  /** Name of a chosen value in the chosen language; "" while it is not known. */
  nameOf: (value: string) => string;
  /** What was found for the word. */
  options: readonly SearchOption[];
  searching: boolean;
  /** Told of the word when typing pauses. */
  onWord: (word: string) => void;
  onChange: (value: readonly string[]) => void;
  /** In the chosen language. */
  problem?: string | undefined;
  disabled?: boolean | undefined;
}

/** Closes the list of what was found once something is chosen: open, it hides the rest of the page from assistive technology. */
function ClosesWhenChosen({ count }: { count: number }) {
  const state = useContext(ComboBoxStateContext);
  const close = useEffectEvent(() => state?.close());
  useEffect(() => {
    if (count > 0) close();
  }, [count]);
  return null;
}

/** Choice of several among many as chips, found by a part of their name. */
export function SearchChips({
  id,
  label,
  value,
  nameOf,
  options,
  searching,
  onWord,
  onChange,
  problem,
  disabled = false,
}: SearchChipsProps) {
  const t = useTranslate();
  const [typed, setTyped] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => onWord(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed, onWord]);
  return (
    <div className="form-field">
      <div className="f-head">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
      </div>
      <Chips
        labelledBy={`${id}-label`}
        chips={value.map((one) => ({ value: one, name: nameOf(one) }))}
        onRemove={disabled ? undefined : (gone) => onChange(value.filter((other) => other !== gone))}
      />
      {!(disabled && value.length > 0) && (
        <ComboBox
          className={styles.combo ?? ""}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-problem`}
          isInvalid={problem !== undefined}
          isDisabled={disabled}
          items={options.filter((option) => !value.includes(option.value))}
          inputValue={typed}
          onInputChange={setTyped}
          selectedKey={null}
          onSelectionChange={(key) => {
            if (key === null) return;
            setTyped("");
            onChange([...value, String(key)]);
          }}
          onBlur={() => setTyped("")}
          allowsEmptyCollection
          menuTrigger="focus"
        >
          <Input id={id} className={`${styles.input} ${own.input}`} placeholder={t("输入名称查找")} />
          <FoundOptions searching={searching} />
          <ClosesWhenChosen count={value.length} />
        </ComboBox>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}
