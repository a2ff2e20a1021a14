import type { Field, ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { showToast } from "../states/toast-store.ts";
import { FieldInput } from "./field-input.tsx";
import { type FormValue, fromForm } from "./form-values.ts";
import { type ListState, whereOf } from "./list-state.ts";
import { callResource, keysOf } from "./resource-api.ts";
import type { Selection } from "./use-selection.ts";

/** Parameters for the selected rows: ticked ids, or the list's conditions. */
const chosenOf = (selection: Selection, state: ListState): Record<string, unknown> =>
  selection.all ? { where: whereOf(state), expected: selection.count } : { ids: [...selection.ids].join(",") };

interface ChangeManyProps {
  of: ResourceDeclaration;
  name: string;
  field: Field;
  state: ListState;
  selection: Selection;
  onClose: () => void;
}

/** Dialog to set one field of many rows. */
export function ChangeMany({ of, name, field, state, selection, onClose }: ChangeManyProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const client = useQueryClient();
  const [value, setValue] = useState<FormValue>(field.kind === "switch" ? true : "");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const label = t(field.label);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { ...chosenOf(selection, state), change: { [name]: fromForm(field, value) } };
      const { changed } = await callResource<{ changed: number }>(of, "changeMany", { body, quiet: true });
      showToast({ kind: "ok", text: "已更新 {count} 条", values: { count: number(changed) } });
      await client.invalidateQueries({ queryKey: keysOf(of) });
      selection.clear();
      onClose();
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("把 {count} 条的{label}改为", { count: number(selection.count), label })}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button
            kind="primary"
            isDisabled={busy || (field.required === true && value === "")}
            onPress={() => void save()}
          >
            {t("更新 {count} 条", { count: number(selection.count) })}
          </Button>
        </>
      }
    >
      <FieldInput
        id="change-many"
        name={name}
        field={field}
        value={value}
        onChange={setValue}
        problem={problem}
        row={undefined}
      />
    </Dialog>
  );
}
