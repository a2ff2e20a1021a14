import { type Field, fieldsOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button, IconButton } from "../kit/button.tsx";
import type { MenuAction } from "../kit/menu.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import styles from "./bulk-actions.module.css";
import type { ListState } from "./list-state.ts";
import type { Selection } from "./use-selection.ts";

// With the inputs of forms, which a list needs for nothing else.
const ChangeMany = lazy(async () => ({ default: (await import("./change-many.tsx")).ChangeMany }));

/** Fields that can be changed for many rows at once. */
const changeable = (field: Field): boolean =>
  !field.fixed &&
  field.column === true &&
  !field.derived &&
  (field.kind === "choice" || field.kind === "switch" || field.kind === "reference" || field.kind === "date");

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
        <Suspense fallback={null}>
          <ChangeMany
            of={of}
            name={changing[0]}
            field={changing[1]}
            state={state}
            selection={selection}
            onClose={() => setChanging(undefined)}
          />
        </Suspense>
      )}
    </ChosenBar>
  );
}
