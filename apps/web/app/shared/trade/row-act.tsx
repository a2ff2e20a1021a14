import { eventPath, type ProcessFace, permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAddressValues } from "../address/use-address.ts";
import { Button } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { callDeclared, keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import { showToast } from "../states/toast-store.ts";

/** Who takes a step. */
export type Party = "desk" | "customer";

/** A step that a row offers where it stands. */
export interface RowStep {
  by: Party;
  /** Event that happens at once; without one the row opens, where the step is taken. */
  event?: string;
  /** A key of the translations; the event's own word where it is left out. */
  word?: string;
  primary?: true;
}

/** Whether the reader may take steps of a party. */
function useMayAct(of: Pick<ResourceDeclaration, "name">): (by: Party) => boolean {
  const { user, permissions } = useAccess();
  const may = permissions.has(permissionOf(of, "edit"));
  return (by) => may && (user.tenant_type === "group") === (by === "desk");
}

interface RowActProps {
  of: ResourceDeclaration & { readonly process: ProcessFace };
  row: Row;
  step: RowStep;
}

/** The button of a step in a row or card; only for those who may take it. */
export function RowAct({ of, row, step: { by, event, word, primary } }: RowActProps) {
  const t = useTranslate();
  const client = useQueryClient();
  const mayAct = useMayAct(of);
  const [, change] = useAddressValues();
  const [busy, setBusy] = useState(false);
  const face = event === undefined ? undefined : of.process.events[event];
  const name = word ?? face?.word;
  if (name === undefined || !mayAct(by)) return null;
  const act = async (): Promise<void> => {
    if (event === undefined || face?.asks) return change({ row: row.id });
    setBusy(true);
    await callDeclared(
      { method: "POST", path: eventPath(of, event), form: "envelope" },
      { body: { id: row.id, version: row.version } },
    ).then(
      () => showToast({ kind: "ok", text: "已登记" }),
      // The call told why.
      () => undefined,
    );
    setBusy(false);
    // After a refusal, too: somebody else may have been quicker.
    void client.invalidateQueries({ queryKey: keysOf(of) });
  };
  return (
    <Button
      small
      kind={primary ? "primary" : "plain"}
      isDisabled={busy}
      aria-label={`${t(name)} ${String(row[of.title] ?? "")}`}
      onPress={() => void act()}
    >
      {t(name)}
    </Button>
  );
}
