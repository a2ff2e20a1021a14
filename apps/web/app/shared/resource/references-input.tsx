import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SearchChips } from "../kit/search-chips.tsx";
import { useNames } from "../language/use-names.ts";
import { selectRows, useSelectedNames } from "./resource-api.ts";

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
export function ReferencesInput({ to, tenantId, value, ...props }: ReferencesInputProps) {
  const nameOf = useNames();
  const held = useSelectedNames(to, value);
  const [word, setWord] = useState("");
  const found = useQuery({
    queryKey: ["resource", to, "select", word, tenantId],
    queryFn: ({ signal }) =>
      selectRows(to, { ...(word === "" ? {} : { keyword: word }), ...(tenantId ? { tenantId } : {}) }, signal),
    placeholderData: keepPreviousData,
    enabled: !props.disabled,
  });
  return (
    <SearchChips
      {...props}
      value={value}
      nameOf={(one) => nameOf(held.get(one)?.name ?? "")}
      options={(found.data ?? []).map((option) => ({ ...option, name: nameOf(option.name) }))}
      searching={found.isFetching}
      onWord={setWord}
    />
  );
}
