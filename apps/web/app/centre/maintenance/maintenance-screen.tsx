import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useEffect } from "react";
import { FieldInput } from "../../shared/resource/field-input.tsx";
import type { InputProps } from "../../shared/resource/input-props.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { EntryPhotos } from "./photos.tsx";

/** A number that no other entry of the same second has. */
const newCode = (): string =>
  `WH-${new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}`;

/** The entry's number: proposed for a new one. */
function CodeInput(props: InputProps) {
  const { row, value, onChange } = props;
  useEffect(() => {
    if (row === undefined && value === "") onChange(newCode());
  });
  return <FieldInput {...props} />;
}

/** The maintenance log, each entry with its photos. */
export function MaintenanceScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={EntryPhotos} inputs={{ code: CodeInput }} />;
}
