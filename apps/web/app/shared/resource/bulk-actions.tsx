import { type Field, fieldsOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { Button, IconButton } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import type { MenuAction } from "../kit/menu.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { showToast } from "../states/toast-store.ts";
import styles from "./bulk-actions.module.css";
import { FieldInput } from "./field-input.tsx";
import { type FormValue, fromForm } from "./form-values.ts";
import { type ListState, whereOf } from "./list-state.ts";
import { callResource, keysOf } from "./resource-api.ts";
import type { Selection } from "./use-selection.ts";

/** Fields that can be changed for many rows at once. */
const changeable = (field: Field): boolean =>
  !field.fixed &&
  field.column === true &&
  !field.derived &&
  (field.kind === "choice" || field.kind === "switch" || field.kind === "reference" || field.kind === "date");

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
function ChangeMany({ of, name, field, state, selection, onClose }: ChangeManyProps) {
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

interface ChosenBarProps {
  /** Number of selected rows. */
  count: number;
  onClear: () => void;
  /** Control to extend the selection. */
  more?: ReactNode;
  /** Actions on the selected rows. */
  children: ReactNode;
}

/** Number of selected rows and their actions, between the rows and the pager. */
export function ChosenBar({ count, onClear, more, children }: ChosenBarProps) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <div className={styles.bulk} role="status">
      <b>{t("已选 {count} 条", { count: number(count) })}</b>
      {more}
      <span className={styles.actions}>
        {children}
        <IconButton small icon="close" label={t("取消选择")} onPress={onClear} />
      </span>
    </div>
  );
}

interface BulkActionsProps {
  of: ResourceDeclaration;
  state: ListState;
  selection: Selection;
  pageIds: readonly string[];
  total: number;
  mayEdit: boolean;
  mayExport: boolean;
  mayRemove: boolean;
  /** Further actions on the selected rows. */
  more: readonly MenuAction[];
  onExport: () => void;
  onRemove: () => void;
}

/** Placed between the rows and the pager, so that rows don't move when a selection begins. */
export function BulkActions(props: BulkActionsProps) {
  const { of, state, selection, pageIds, total, mayEdit, mayExport, mayRemove } = props;
  const t = useTranslate();
  const { number } = useFormats();
  const [changing, setChanging] = useState<[string, Field]>();
  const pageChosen = pageIds.length > 0 && pageIds.every(selection.has);
  const fields = mayEdit ? fieldsOf(of).filter(([, field]) => changeable(field)) : [];
  return (
    <ChosenBar
      count={selection.count}
      onClear={selection.clear}
      more={
        <>
          {!pageChosen && (
            <Button kind="link" onPress={() => selection.set(pageIds, true)}>
              {t("选中本页 {count} 条", { count: number(pageIds.length) })}
            </Button>
          )}
          {!selection.all && total > pageIds.length && (
            <Button kind="link" onPress={selection.selectAll}>
              {t("选中筛选出的全部 {count} 条", { count: number(total) })}
            </Button>
          )}
        </>
      }
    >
      {fields.slice(0, 3).map(([name, field]) => (
        <Button key={name} small onPress={() => setChanging([name, field])}>
          {t("改{label}", { label: t(field.label) })}
        </Button>
      ))}
      {!selection.all &&
        props.more.map(({ id, icon, name, onAction }) => (
          <Button key={id} small icon={icon} onPress={onAction}>
            {name}
          </Button>
        ))}
      {mayExport && (
        <Button small onPress={props.onExport}>
          {t("导出")}
        </Button>
      )}
      {mayRemove && (
        <Button small kind="danger" onPress={props.onRemove}>
          {t("删除")}
        </Button>
      )}
      {changing && (
        <ChangeMany
          of={of}
          name={changing[0]}
          field={changing[1]}
          state={state}
          selection={selection}
          onClose={() => setChanging(undefined)}
        />
      )}
    </ChosenBar>
  );
}
