import type { ResourceDeclaration } from "@herdwise/contract/resource";
import type { ComponentType } from "react";
import { useNavigate } from "react-router";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

/** Rows that have files each; a new one opens at once, so that its file can follow. */
export function FileRowScreen({
  of,
  cells,
  detail,
}: {
  of: ResourceDeclaration;
  cells: Cells;
  detail: ComponentType<{ row: Row }>;
}) {
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      cells={cells}
      detail={detail}
      onAdded={({ id }) => void navigate(`${of.menu.path}?row=${id}`)}
    />
  );
}
