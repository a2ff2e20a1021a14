import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { copyText } from "../forms/copy-button.tsx";
import { drawerAside } from "../kit/drawer-aside.ts";
import { isTyping } from "../kit/is-typing.ts";
import type { MenuAction } from "../kit/menu.tsx";
import { useMedia } from "../kit/use-media.ts";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { useOne } from "../language/use-one.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { useAccess } from "../session/access-context.ts";
import { showToast } from "../states/toast-store.ts";
import { BulkActions } from "./bulk-actions.tsx";
import type { Cells } from "./cells.ts";
import { exportRows } from "./export-rows.ts";
import type { FormValues, Row } from "./form-values.ts";
import type { InputProps, PreviewProps } from "./input-props.ts";
import { List, ListHead } from "./list.tsx";
import { keyTarget, type Move } from "./list-items.ts";
import { orderOf, whereOf } from "./list-state.ts";
import { NothingYet } from "./list-states.tsx";
import { type Removal, RemoveDialog } from "./remove-dialog.tsx";
import styles from "./resource-screen.module.css";
import { stateCell } from "./state-cell.tsx";
import { useList } from "./use-list.ts";

const FormDrawer = lazy(async () => ({ default: (await import("./form-drawer.tsx")).FormDrawer }));

export interface ResourceScreenProps {
  of: ResourceDeclaration;
  /** Custom cells, by field. */
  cells?: Cells;
  /** Custom inputs, by field. */
  inputs?: Readonly<Record<string, ComponentType<InputProps>>>;
  /** Additional actions of a row. */
  actions?: (row: Row) => readonly MenuAction[];
  /** Additional actions on ticked rows. */
  bulkActions?: (ids: readonly string[]) => readonly MenuAction[];
  /** Additional content of a row's drawer, above its form. */
  detail?: ComponentType<{ row: Row }>;
  /** Fields of a process that are told below its detail, where that tells the others; all by default. */
  facts?: readonly string[];
  /** Percent of the page that a row's drawer takes at first, where its detail needs more than the usual 30. */
  share?: number;
  /** Below a row's form: what its values as they are typed would mean. */
  preview?: ComponentType<PreviewProps>;
  /** Saves moves of rows in a tree together; without it each is saved by itself. */
  arrange?: ComponentType<ArrangeProps>;
  /** In the question before rows are removed: what that would mean. */
  removal?: ComponentType<{ ids: readonly string[] }>;
  /** A short text about the whole list. */
  note?: ReactNode;
  /** Additional buttons beside the heading. */
  head?: ReactNode;
  /** Content between the heading and the rows. */
  above?: ReactNode;
  /** Stands in place of the rows, where a drawing of all of them says more; it opens rows by the address's `row`. */
  board?: ReactNode;
  /** Leaves out the history below a row of a process, where its detail tells it. */
  tellsHistory?: boolean;
  /** Further actions on the whole list; on a phone behind one button. */
  actionsOnAll?: readonly MenuAction[];
  /** Called after a row was added. */
  onAdded?: ((row: Row) => void) | undefined;
  /**
   * Initial values of a new row.
   * @param where conditions of the list, by field
   */
  given?: (where: Readonly<Record<string, string>>) => FormValues;
}

/** Moves of rows in a tree that are not made yet. */
export interface ArrangeProps {
  moves: readonly Move[];
  /** Takes moves back: the last one, or all. */
  takeBack: (all: boolean) => void;
}

const noCells: Cells = {};
/** Most row names that are listed before a removal. */
const mostNamed = 5;
const noActions = (): readonly MenuAction[] => [];
/** Screen of a resource: a list with conditions, views, columns, selection and export, and a row's form beside it. */
export function ResourceScreen({
  of,
  cells = noCells,
  inputs,
  actions = noActions,
  bulkActions = noActions,
  detail,
  facts,
  share,
  preview,
  arrange: Arrange,
  removal: RemovalEffect,
  note,
  head,
  above,
  board,
  tellsHistory,
  actionsOnAll = [],
  onAdded,
  given,
}: ResourceScreenProps) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const { number } = useFormats();
  const navigate = useNavigate();
  const { user, permissions } = useAccess();
  const ofGroup = user.tenant_type === "group";
  const adds = of.addedBy !== "group" || ofGroup;
  // Rows of a process are written by its events alone, and begun by those whom it names; others without the operation by nobody.
  const written = of.process === undefined && !of.replaced?.includes("submit");
  const begin = of.process?.begin;
  const begins = begin !== undefined && (begin.by === undefined || (begin.by === "group") === ofGroup);
  const may = {
    edit: written && permissions.has(permissionOf(of, "edit")),
    add: (written ? adds : begins) && permissions.has(permissionOf(of, "edit")),
    remove: written && adds && permissions.has(permissionOf(of, "delete")),
    export: of.sheets !== undefined && permissions.has(permissionOf(of, "export")),
    import: adds && of.sheets !== undefined && !of.sheets.exportOnly && permissions.has(permissionOf(of, "import")),
  };

  const isWide = useMedia(drawerAside);
  const list = useList(of, {
    collects: Arrange !== undefined,
    // Beside a drawer that takes half of the page, rows are cards.
    ...(share !== undefined && { beside: ({ row }) => isWide && row !== "" }),
  });
  const shownCells = useMemo(
    (): Cells => (of.process ? { state: stateCell(of.process.states), ...cells } : cells),
    [of, cells],
  );
  const { state, change, selection, isTree, items, rows, total, shownColumns, tree } = list;
  const [removing, setRemoving] = useState<Removal>();
  const opener = useRef<HTMLElement | null>(null);
  const titleOf = (row: Row): string => nameOf(String(row[of.title] ?? ""));

  const openRow = (row: string, tab: "form" | "history" = "form"): void => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    change({ row, tab, parent: "" });
  };
  const add = (parent = ""): void => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    change({ row: "new", tab: "form", parent });
  };
  const close = (): void => {
    change({ row: "", tab: "form", parent: "" });
    // Moves the focus back to the element that opened the drawer.
    requestAnimationFrame(() => opener.current?.isConnected && opener.current.focus());
  };
  const controls = {
    open: (row: Row, tab?: "form" | "history") => openRow(row.id, tab),
    copy: (row: Row) =>
      void copyText(String(row[of.title] ?? "")).then((copied) =>
        showToast(copied ? { kind: "ok", text: "复制成功" } : { kind: "error", text: "复制失败，请手动选择后复制" }),
      ),
    toggle: selection.toggle,
    remove: (row: Row) => {
      if (may.remove) setRemoving({ ids: [row.id], where: undefined, count: 1, titles: [titleOf(row)] });
    },
  };
  const held = useRef({ may, given, where: state.where });
  held.current = { may, given, where: state.where };

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById("list-search")?.focus();
      }
      if (event.key === "n" && held.current.may.add) {
        event.preventDefault();
        change({ row: "new", tab: "form", parent: "" });
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [change]);

  const isNew = state.row === "new";
  // Computed once for each new row, because a later change of conditions must not reset the input.
  const begun = useMemo(() => (isNew ? held.current.given?.(held.current.where) : undefined), [isNew]);
  const one = useOne(of.words);
  const addWord = begin ? t(begin.word) : t("新增{one}", { one });
  const importPath = `${location.pathname.replace(/\/+$/, "")}/import`;
  const startExport = (chosen: Readonly<Record<string, unknown>>): void =>
    void exportRows(
      of,
      chosen,
      // Includes the key field, so that the sheet can be imported again.
      [...new Set([...shownColumns.map(({ id }) => id), ...(of.sheets ? [of.sheets.key] : [])])],
      orderOf(state),
      language,
    ).catch(() => undefined);
  const rowActions = (row: Row): MenuAction[] => [
    { id: "open", icon: "eye", name: t("打开"), shortcut: "Enter", onAction: () => controls.open(row) },
    ...(may.edit
      ? [{ id: "edit", icon: "edit", name: t("编辑"), shortcut: "E", onAction: () => controls.open(row) } as const]
      : []),
    { id: "copy", icon: "copy", name: t("复制名称"), shortcut: "C", onAction: () => controls.copy(row) },
    {
      id: "history",
      icon: "history",
      name: t("改动记录"),
      shortcut: "H",
      onAction: () => controls.open(row, "history"),
    },
    ...(isTree && may.edit
      ? [
          { id: "below", icon: "plus", name: t("新增下级"), onAction: () => add(row.id) } as const,
          ...(tree.searched
            ? []
            : [
                {
                  id: "up",
                  icon: "up",
                  name: t("上移"),
                  shortcut: "Alt ↑",
                  onAction: () => moveBy(row, "up"),
                } as const,
                {
                  id: "down",
                  icon: "down",
                  name: t("下移"),
                  shortcut: "Alt ↓",
                  onAction: () => moveBy(row, "down"),
                } as const,
                {
                  id: "in",
                  icon: "right",
                  name: t("移入上一项"),
                  shortcut: "Alt →",
                  onAction: () => moveBy(row, "in"),
                } as const,
                {
                  id: "out",
                  icon: "left",
                  name: t("移出一级"),
                  shortcut: "Alt ←",
                  onAction: () => moveBy(row, "out"),
                } as const,
              ]),
        ]
      : []),
    ...actions(row),
    ...(permissions.has("audit_view")
      ? [
          {
            id: "trail",
            icon: "history",
            name: t("全部改动"),
            onAction: () => void navigate(`/system/audit?by=row&thing=${of.name}%20${row.id}`),
          } as const,
        ]
      : []),
    ...(may.remove
      ? [
          {
            id: "remove",
            icon: "trash",
            name: t("删除"),
            shortcut: "Del",
            danger: true,
            onAction: () => controls.remove(row),
          } as const,
        ]
      : []),
  ];
  const moveBy = (row: Row, way: "up" | "down" | "in" | "out"): void => {
    const target = keyTarget(items ?? [], row.id, way);
    if (target) tree.move(row, target);
  };
  const removeChosen = (): void => {
    const known = (rows ?? []).filter(({ id }) => selection.has(id)).slice(0, mostNamed);
    setRemoving({
      ids: [...selection.ids],
      where: selection.all ? whereOf(state) : undefined,
      count: selection.count,
      titles: known.map(titleOf),
    });
  };
  // An empty list offers its import in its middle, and has nothing to export.
  const sheetActions = [
    ...(may.import && !(list.isEmpty && may.add)
      ? [{ id: "import", icon: "upload", name: t("导入"), onAction: () => void navigate(importPath) } as const]
      : []),
    ...(may.export && !list.isEmpty
      ? [
          {
            id: "export",
            icon: "download",
            name: isTree ? t("导出") : t("导出 {count} 条", { count: number(total) }),
            isDisabled: total === 0,
            onAction: () => startExport({ where: whereOf(state) }),
          } as const,
        ]
      : []),
  ];
  return (
    <>
      <Crumbs />
      <ListHead
        list={list}
        note={note}
        actions={[...sheetActions, ...actionsOnAll]}
        main={
          // An empty list offers it in its middle.
          may.add &&
          !list.isEmpty && {
            icon: "plus",
            name: addWord,
            ...(begin && { short: t(begin.word) }),
            onAction: () => add(),
          }
        }
      >
        {head}
      </ListHead>
      {Arrange && <Arrange moves={tree.moves} takeBack={tree.takeBack} />}
      {above}
      <div className={styles.kit}>
        {board ?? (
          <List
            list={list}
            cells={shownCells}
            controls={controls}
            rowActions={rowActions}
            choosable={may.edit || may.remove || may.export}
            movable={may.edit}
            nothing={
              <NothingYet
                of={of}
                onAdd={may.add ? () => add() : undefined}
                addWord={addWord}
                onImport={may.import ? () => void navigate(importPath) : undefined}
              />
            }
            bulk={
              <BulkActions
                of={of}
                state={state}
                selection={selection}
                pageIds={(items ?? []).map(({ row }) => row.id)}
                total={total}
                mayEdit={may.edit}
                mayExport={may.export}
                mayRemove={may.remove}
                more={bulkActions([...selection.ids])}
                onExport={() =>
                  startExport(selection.all ? { where: whereOf(state) } : { ids: [...selection.ids].join(",") })
                }
                onRemove={removeChosen}
              />
            }
          />
        )}
        {state.row !== "" && (
          <Suspense fallback={null}>
            <FormDrawer
              key={state.row}
              of={of}
              state={state}
              change={change}
              rows={rows ?? []}
              mayEdit={may.edit}
              inputs={inputs}
              detail={detail}
              facts={facts}
              share={share}
              tellsHistory={tellsHistory}
              preview={preview}
              {...(begun && { given: begun })}
              onAdded={onAdded}
              onClose={close}
            />
          </Suspense>
        )}
      </div>
      {removing && (
        <RemoveDialog
          of={of}
          {...removing}
          effect={RemovalEffect && removing.ids.length > 0 ? <RemovalEffect ids={removing.ids} /> : undefined}
          onRemoved={() => {
            selection.clear();
            if (removing.where || removing.ids.includes(state.row)) close();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
