import { type ReferenceField, referenceNameOf } from "@herdwise/contract/resource";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import type { ControlProps } from "./input-props.ts";
import styles from "./reference-input.module.css";
import { type Choosable, selectRows } from "./resource-api.ts";

const typingMs = 200;

/** Choice of a row of another resource, found on the server by a part of its name. */
export function ReferenceInput(props: ControlProps<ReferenceField>) {
  const { id, name, field, value, onChange, onBlur, describedBy, problem, row, locked } = props;
  const t = useTranslate();
  const nameOf = useNames();
  const chosen = typeof value === "string" ? value : "";
  const [known, setKnown] = useState<{ value: string; name: string } | undefined>(() => {
    const own = row?.[referenceNameOf(name)] ?? (name === "parentId" ? row?.parentName : undefined);
    return row && chosen !== "" && typeof own === "string" && own !== "" && String(row[name]) === chosen
      ? { value: chosen, name: own }
      : undefined;
  });
  const ids = useQuery({
    queryKey: ["resource", field.to, "select", "ids", chosen],
    queryFn: ({ signal }) => selectRows(field.to, { ids: chosen }, signal),
    enabled: chosen !== "" && known?.value !== chosen,
  });
  const held = known?.value === chosen ? known : ids.data?.[0];
  const title = chosen === "" ? "" : nameOf(held?.name ?? "");
  const [typed, setTyped] = useState<string>();
  const [word, setWord] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWord(typed ?? ""), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const tenantId = typeof row?.tenantId === "string" ? row.tenantId : undefined;
  const found = useQuery({
    queryKey: ["resource", field.to, "select", word, tenantId],
    queryFn: ({ signal }) =>
      selectRows(field.to, { ...(word === "" ? {} : { keyword: word }), ...(tenantId ? { tenantId } : {}) }, signal),
    placeholderData: keepPreviousData,
  });
  // A row can't be its own parent.
  const options = (found.data ?? []).filter((option) => !(name === "parentId" && option.value === row?.id));
  const choose = (option: Choosable | undefined): void => {
    setKnown(option);
    setTyped(undefined);
    onChange(option?.value ?? "");
  };
  return (
    <ComboBox
      className={styles.combo ?? ""}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      isInvalid={problem !== undefined}
      isReadOnly={locked !== undefined}
      items={options}
      inputValue={typed ?? title}
      onInputChange={(text) => setTyped(text === title ? undefined : text)}
      selectedKey={chosen === "" ? null : chosen}
      onSelectionChange={(key) => choose(options.find((option) => option.value === key))}
      onBlur={() => {
        if (typed?.trim() === "") choose(undefined);
        setTyped(undefined);
        onBlur?.();
      }}
      allowsEmptyCollection
      menuTrigger="focus"
    >
      <Input
        id={id}
        className={styles.input ?? ""}
        placeholder={t(field.required ? "输入名称查找" : "不选，或输入名称查找")}
      />
      {chosen !== "" && !field.required && locked === undefined && (
        <button type="button" className={styles.clear} aria-label={t("清除")} onClick={() => choose(undefined)}>
          <Icon name="close" small />
        </button>
      )}
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
  );
}
