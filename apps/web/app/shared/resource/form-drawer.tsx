import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense } from "react";
import type { ApiError } from "../api/api-error.ts";
import { IconButton } from "../kit/button.tsx";
import { Drawer } from "../kit/drawer.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { useOne } from "../language/use-one.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./form-drawer.module.css";
import type { FormValues, Row } from "./form-values.ts";
import { HistoryTab } from "./history-tab.tsx";
import type { InputProps, PreviewProps } from "./input-props.ts";
import type { ListState } from "./list-state.ts";
import { callResource, keysOf } from "./resource-api.ts";
import { RowForm } from "./row-form.tsx";

const ProcessPanel = lazy(async () => ({ default: (await import("../process/process-panel.tsx")).ProcessPanel }));

export interface FormDrawerProps {
  of: ResourceDeclaration;
  state: ListState;
  change: (next: Partial<Pick<ListState, "row" | "tab">>) => void;
  /** Rows of the list, for the buttons to the next and previous row. */
  rows: readonly Row[];
  mayEdit: boolean;
  inputs: Readonly<Record<string, ComponentType<InputProps>>> | undefined;
  detail: ComponentType<{ row: Row }> | undefined;
  preview?: ComponentType<PreviewProps> | undefined;
  /** Fields of a process that are told below its detail; all by default. */
  facts?: readonly string[] | undefined;
  /** The detail tells a process's history. */
  tellsHistory?: boolean | undefined;
  /** Percent of the page that the drawer takes at first; 30 by default. */
  share?: number | undefined;
  /** Initial values of a new row, in addition to the defaults. */
  given?: FormValues;
  /** Event of a process whose form is open from the start. */
  ask?: string;
  onAdded?: ((row: Row) => void) | undefined;
  onClose: () => void;
}

/** Drawer of a row: its form and its history. */
export function FormDrawer({
  of,
  state,
  change,
  rows,
  mayEdit,
  inputs,
  detail: Detail,
  preview,
  facts,
  share,
  tellsHistory,
  given,
  ask,
  onAdded,
  onClose,
}: FormDrawerProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const isNew = state.row === "new";
  const loaded = useQuery<Row, ApiError>({
    queryKey: [...keysOf(of), "detail", state.row],
    queryFn: ({ signal }) => callResource<Row>(of, "detail", { query: { id: state.row }, signal, quiet: true }),
    enabled: !isNew,
    staleTime: 0,
  });
  const row = isNew ? undefined : loaded.data;
  const at = rows.findIndex(({ id }) => id === state.row);
  const [previous, next] = [rows[at - 1], rows[at + 1]];
  const one = useOne(of.words);
  const name = row ? nameOf(String(row[of.title] ?? "")) : "";
  const title = isNew
    ? t(of.process?.begin?.word ?? "新增{one}", { one })
    : // What has a number is called by it; nobody writes its fields.
      of.process
      ? [one, name].filter(Boolean).join(" ")
      : t(mayEdit ? "编辑{one}" : "查看{one}", { one });
  const frame = {
    title,
    note: of.process ? "" : name,
    ...(share !== undefined && { share }),
    onClose,
    tools: !isNew && (
      <>
        <IconButton
          icon="up"
          label={t("上一条")}
          isDisabled={at < 0 || previous === undefined}
          onPress={() => previous && change({ row: previous.id })}
        />
        <IconButton
          icon="down"
          label={t("下一条")}
          isDisabled={at < 0 || next === undefined}
          onPress={() => next && change({ row: next.id })}
        />
      </>
    ),
  };
  const tabs = !isNew && (
    <div className={styles.tabs} role="tablist" aria-label={title}>
      {(["form", "history"] as const).map((tab) => (
        <button key={tab} type="button" role="tab" aria-selected={state.tab === tab} onClick={() => change({ tab })}>
          {t(tab === "form" ? "内容" : "改动记录")}
        </button>
      ))}
    </div>
  );
  if (!isNew && !row)
    return (
      <Drawer {...frame}>
        {loaded.error ? (
          <LoadingProblem error={loaded.error} onRetry={() => void loaded.refetch()} what={one} />
        ) : (
          <TableSkeleton rows={6} />
        )}
      </Drawer>
    );
  if (row && state.tab === "history")
    return (
      <Drawer {...frame}>
        {tabs}
        <HistoryTab of={of} id={row.id} />
      </Drawer>
    );
  const { process } = of;
  if (row && process)
    return (
      <Suspense
        fallback={
          <Drawer {...frame}>
            <TableSkeleton rows={6} />
          </Drawer>
        }
      >
        <ProcessPanel
          key={row.id}
          of={{ ...of, process }}
          row={row}
          inputs={inputs}
          facts={facts}
          tellsHistory={tellsHistory}
          {...(ask !== undefined && { ask })}
          frame={(content, footer, held) => (
            <Drawer {...frame} footer={footer}>
              {held}
              {Detail && <Detail row={row} />}
              {content}
            </Drawer>
          )}
          onDone={() => next && change({ row: next.id })}
        />
      </Suspense>
    );
  return (
    <RowForm
      // Another row remounts the form; a newer version of the same row does not, because somebody may be typing.
      key={row?.id ?? "new"}
      of={process?.begin ? { ...of, fields: process.begin.asks } : of}
      row={row}
      parentId={state.parent}
      mayEdit={mayEdit}
      inputs={inputs}
      preview={preview}
      {...(given && { given })}
      frame={(content, footer) => (
        <Drawer {...frame} footer={footer}>
          {tabs}
          {row && Detail && <Detail row={row} />}
          {content}
        </Drawer>
      )}
      onAdded={onAdded}
      onDone={onClose}
    />
  );
}
