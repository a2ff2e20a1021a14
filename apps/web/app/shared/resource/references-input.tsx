import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Problem } from "../forms/problem.tsx";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import styles from "./reference-input.module.css";
import own from "./references-input.module.css";
import { type Choosable, selectRows, useSelectedNames } from "./resource-api.ts";

const typingMs = 200;

interface ReferencesInputProps {
  id: string;
  label: string;
  /** Name of the resource. */
  to: string;
  /** Tenant of the rows; the caller's own where it is left out. */
  tenantId: string | undefined;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  /** In the chosen language. */
  problem?: string | undefined;
  disabled?: boolean;
}

/** Choice of several rows of another resource as chips, found on the server by a part of their name. */
export function ReferencesInput({ id, label, to, tenantId, value, onChange, problem, disabled }: ReferencesInputProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const held = useSelectedNames(to, value);
  const [typed, setTyped] = useState("");
  const [word, setWord] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWord(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery({
    queryKey: ["resource", to, "select", word, tenantId],
    queryFn: ({ signal }) =>
      selectRows(to, { ...(word === "" ? {} : { keyword: word }), ...(tenantId ? { tenantId } : {}) }, signal),
    placeholderData: keepPreviousData,
    enabled: !disabled,
  });
  const options = (found.data ?? []).filter((option) => !value.includes(option.value));
  return (
    <div className="form-field">
      <div className="f-head">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
      </div>
      {value.length > 0 && (
        <ul className={own.chips} aria-labelledby={`${id}-label`}>
          {value.map((one) => {
            const name = nameOf(held.get(one)?.name ?? "");
            return (
              <li key={one}>
                {name || "…"}
                {!disabled && (
                  <button
                    type="button"
                    aria-label={t("去掉 {name}", { name })}
                    onClick={() => onChange(value.filter((other) => other !== one))}
                  >
                    <Icon name="close" small />
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!(disabled && value.length > 0) && (
        <ComboBox
          className={styles.combo ?? ""}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-problem`}
          isInvalid={problem !== undefined}
          isDisabled={disabled ?? false}
          items={options}
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
          <Button className={styles.open ?? ""}>
            <Icon name="down" small />
          </Button>
          <Popover className={styles.popover ?? ""} offset={4}>
            <ListBox<Choosable>
              className={styles.list ?? ""}
              renderEmptyState={() => <p className={styles.none}>{t(found.isFetching ? "正在查找" : "没有找到")}</p>}
            >
              {(option) => (
                <ListBoxItem id={option.value} textValue={nameOf(option.name)} className={styles.option ?? ""}>
                  <span>{nameOf(option.name)}</span>
                  {option.path && <small>{option.path}</small>}
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </ComboBox>
      )}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}
