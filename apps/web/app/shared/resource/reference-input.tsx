import { type ReferenceField, referenceNameOf } from "@herdwise/contract/resource";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SearchChoice } from "../kit/search-choice.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import type { ControlProps } from "./input-props.ts";
import { selectRows } from "./resource-api.ts";

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
  const [word, setWord] = useState("");
  const tenantId = typeof row?.tenantId === "string" ? row.tenantId : undefined;
  const found = useQuery({
    queryKey: ["resource", field.to, "select", word, tenantId],
    queryFn: ({ signal }) =>
      selectRows(field.to, { ...(word === "" ? {} : { keyword: word }), ...(tenantId ? { tenantId } : {}) }, signal),
    placeholderData: keepPreviousData,
  });
  // A row can't be its own parent.
  const offered = (found.data ?? []).filter((option) => !(name === "parentId" && option.value === row?.id));
  return (
    <SearchChoice
      id={id}
      labelledBy={`${id}-label`}
      describedBy={describedBy}
      invalid={problem !== undefined}
      readOnly={locked !== undefined}
      value={chosen}
      title={chosen === "" ? "" : nameOf(held?.name ?? "")}
      options={offered.map((option) => ({ ...option, name: nameOf(option.name) }))}
      searching={found.isFetching}
      onWord={setWord}
      onChoose={(option) => {
        setKnown(offered.find((one) => one.value === option?.value));
        onChange(option?.value ?? "");
      }}
      onBlur={onBlur}
      clearable={!field.required}
      placeholder={t(field.required ? "输入名称查找" : "不选，或输入名称查找")}
    />
  );
}
