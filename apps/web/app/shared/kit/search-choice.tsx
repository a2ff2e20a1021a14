import { useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./search-choice.module.css";

const typingMs = 200;

export interface SearchOption {
  value: string;
  /** In the chosen language. */
  name: string;
  /** A second line, such as the path of a row. */
  path?: string | undefined;
}

/** The button and the list of what was found, within a combo box. */
export function FoundOptions({ searching }: { searching: boolean }) {
  const t = useTranslate();
  return (
    <>
      <Button className={styles.open ?? ""}>
        <Icon name="down" small />
      </Button>
      <Popover className={styles.popover ?? ""} offset={4}>
        <ListBox<SearchOption>
          className={styles.list ?? ""}
          renderEmptyState={() => <p className={styles.none}>{t(searching ? "正在查找" : "没有找到")}</p>}
        >
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.name} className={styles.option ?? ""}>
              <span>{option.name}</span>
              {option.path && <small>{option.path}</small>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </>
  );
}

interface SearchChoiceProps {
  id: string;
  labelledBy: string;
  describedBy?: string | undefined;
  /** "" while nothing is chosen. */
  value: string;
  /** What is chosen, in the chosen language. */
  title: string;
  /** What was found for the word. */
  options: readonly SearchOption[];
  searching: boolean;
  /** Told of the word when typing pauses; "" shows what is offered without one. */
  onWord: (word: string) => void;
  onChoose: (option: SearchOption | undefined) => void;
  onBlur?: (() => void) | undefined;
  placeholder: string;
  /** Whether the choice can be taken back. */
  clearable: boolean;
  invalid?: boolean;
  readOnly?: boolean;
}

/** A choice among many, found by a part of its name. */
export function SearchChoice({
  id,
  labelledBy,
  describedBy,
  value,
  title,
  options,
  searching,
  onWord,
  onChoose,
  onBlur,
  placeholder,
  clearable,
  invalid = false,
  readOnly = false,
}: SearchChoiceProps) {
  const t = useTranslate();
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => onWord(typed ?? ""), typingMs);
    return () => clearTimeout(timer);
  }, [typed, onWord]);
  const choose = (option: SearchOption | undefined): void => {
    setTyped(undefined);
    onChoose(option);
  };
  return (
    <ComboBox
      className={styles.combo ?? ""}
      aria-labelledby={labelledBy}
      {...(describedBy !== undefined && { "aria-describedby": describedBy })}
      isInvalid={invalid}
      isReadOnly={readOnly}
      items={options}
      inputValue={typed ?? title}
      onInputChange={(text) => setTyped(text === title ? undefined : text)}
      selectedKey={value === "" ? null : value}
      onSelectionChange={(key) => {
        // What is chosen may not be among what is offered now; leaving the field must not take it back.
        const option = options.find((one) => one.value === key);
        if (option) choose(option);
      }}
      onBlur={() => {
        if (typed?.trim() === "") choose(undefined);
        setTyped(undefined);
        onBlur?.();
      }}
      allowsEmptyCollection
      menuTrigger="focus"
    >
      <Input id={id} className={styles.input ?? ""} placeholder={placeholder} />
      {value !== "" && clearable && !readOnly && (
        <button type="button" className={styles.clear} aria-label={t("清除")} onClick={() => choose(undefined)}>
          <Icon name="close" small />
        </button>
      )}
      <FoundOptions searching={searching} />
    </ComboBox>
  );
}
