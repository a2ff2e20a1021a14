import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Popover } from "react-aria-components/Popover";
import { useNavigate } from "react-router";
import { copyText } from "../forms/copy-button.tsx";
import { Icon } from "../icons/icon.tsx";
import { Button, IconButton } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import menuStyles from "../kit/menu.module.css";
import { type MenuAction, MenuButton, MenuList } from "../kit/menu.tsx";
import { PopoverButton } from "../kit/popover.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useMedia } from "../kit/use-media.ts";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { usePreference } from "../query/use-preference.ts";
import { useAccess } from "../session/access-context.ts";
import { FaultBanner } from "../states/fault-banner.tsx";
import { showToast } from "../states/toast-store.ts";
import { BulkActions } from "./bulk-actions.tsx";
import type { Cells } from "./cells.ts";
import { arranged, columnsOf, isShown } from "./columns.ts";
import { conditionsOf, setConditions, wireNamesOf } from "./conditions.ts";
import { exportRows } from "./export-rows.ts";
import { FilterBar } from "./filter-bar.tsx";
import type { FormValues, Row } from "./form-values.ts";
import type { InputProps } from "./input-props.ts";
import { type ListChoice, readListChoice } from "./list-choice.ts";
import { type ListControls, ListControlsContext } from "./list-controls.ts";
import { itemsOf, keyTarget } from "./list-items.ts";
import { orderOf, whereOf } from "./list-state.ts";
import { Failed, NeedsCondition, NoMatch, NotAllowed, NothingYet } from "./list-states.tsx";
import { Pager } from "./pager.tsx";
import { type Removal, RemoveDialog } from "./remove-dialog.tsx";
import { countOf } from "./resource-api.ts";
import { ResourceCards } from "./resource-cards.tsx";
import styles from "./resource-screen.module.css";
import { ResourceTable } from "./resource-table.tsx";
import { useLastSearch } from "./use-last-search.ts";
import { useListState } from "./use-list-state.ts";
import { queryOf, useLastRows, useRows } from "./use-rows.ts";
import { useSelection } from "./use-selection.ts";
import { useTree } from "./use-tree.ts";
import { ViewsBar } from "./views-bar.tsx";

const ColumnsEditor = lazy(async () => ({ default: (await import("./columns-editor.tsx")).ColumnsEditor }));
const FormDrawer = lazy(async () => ({ default: (await import("./form-drawer.tsx")).FormDrawer }));

export interface ResourceScreenProps {
  of: ResourceDeclaration;
  /** Own cells, by field. */
  cells?: Cells;
  /** Own inputs, by field. */
  inputs?: Readonly<Record<string, ComponentType<InputProps>>>;
  /** More actions of a row. */
  actions?: (row: Row) => readonly MenuAction[];
  /** More that can be done with the rows that are ticked. */
  bulkActions?: (ids: readonly string[]) => readonly MenuAction[];
  /** More in a row's drawer, above its form. */
  detail?: ComponentType<{ row: Row }>;
  /** More buttons beside the heading. */
  head?: ReactNode;
  /** What follows after a row was added. */
  onAdded?: ((row: Row) => void) | undefined;
  /** What a new row begins with. @param where conditions of the list, by field */
  given?: (where: Readonly<Record<string, string>>) => FormValues;
}

const noCells: Cells = {};
/** Names of rows that are told before they are removed. */
const mostNamed = 5;
const noActions = (): readonly MenuAction[] => [];
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu]") !== null;

/** The list of a resource with everything around it: conditions, views, columns, choice, export, and a row's form beside it. */
export function ResourceScreen({
  of,
  cells = noCells,
  inputs,
  actions = noActions,
  bulkActions = noActions,
  detail,
  head,
  onAdded,
  given,
}: ResourceScreenProps) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const { number } = useFormats();
  const navigate = useNavigate();
  const { user, permissions } = useAccess();
  const narrow = useMedia("(max-width: 760px)");
  const ofGroup = user.tenant_type === "group";
  const adds = of.addedBy !== "group" || ofGroup;
  const may = {
    edit: permissions.has(permissionOf(of, "edit")),
    add: adds && permissions.has(permissionOf(of, "edit")),
    remove: adds && permissions.has(permissionOf(of, "delete")),
    export: of.sheets !== undefined && permissions.has(permissionOf(of, "export")),
    import: adds && of.sheets !== undefined && permissions.has(permissionOf(of, "import")),
  };

  const conditions = useMemo(() => conditionsOf(of), [of]);
  const columns = useMemo(
    () =>
      columnsOf(of, {
        tenants: ofGroup && of.scope === "own-or-all-tenants",
        t,
        stretch: language === "zh" ? 1 : 1.25,
      }),
    [of, ofGroup, t, language],
  );
  const sorts = useMemo(() => columns.filter(({ sortable }) => sortable).map(({ id }) => id), [columns]);
  const [state, change] = useListState(conditions, sorts);
  const readChoice = useCallback((kept: unknown) => readListChoice(kept, of.title), [of.title]);
  const [choice, setChoice] = usePreference<ListChoice>(`list.${of.name}`, readChoice);
  const shownColumns = useMemo(
    () => arranged(columns, choice.columns).filter((column) => isShown(column, choice.columns, of.title)),
    [columns, choice.columns, of.title],
  );

  const needed = (of.searchFirst ?? []).flatMap((name) => conditions.filter((condition) => condition.name === name));
  const ready =
    needed.length === 0 || needed.some((condition) => wireNamesOf(condition).some((name) => state.where[name]));
  const lastSearch = useLastSearch(`${user.user_id}_${of.name}`, state, needed.length > 0 && ready);
  const isTree = of.tree !== undefined;
  const paged = useRows(of, state, ready && !isTree);
  const tree = useTree(of, state, ready && isTree);
  const listed = useMemo(() => paged.rows && itemsOf(paged.rows), [paged.rows]);
  const items = isTree ? tree.items : listed;
  const total = isTree ? (items?.length ?? 0) : paged.total;
  const error = isTree ? tree.error : paged.error;
  const reload = isTree ? tree.reload : paged.reload;
  const rows = useMemo(() => items?.map(({ row }) => row), [items]);
  const last = useLastRows(rows);
  const [showLast, setShowLast] = useState(false);
  useEffect(() => {
    if (!error) setShowLast(false);
  }, [error]);

  const selection = useSelection(JSON.stringify(queryOf(state)), total);
  const [removing, setRemoving] = useState<Removal>();
  /** Name of the condition that is being entered; "*" for the page of all of them. */
  const [entering, setEntering] = useState<string>();
  const [choosingColumns, setChoosingColumns] = useState(false);
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement }>();
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
    // Back to where it was opened from.
    requestAnimationFrame(() => opener.current?.isConnected && opener.current.focus());
  };
  const latest = { openRow, selection, setRemoving, setMenu, titleOf, may, given, where: state.where };
  const held = useRef(latest);
  held.current = latest;
  const controls = useMemo(
    (): ListControls => ({
      open: (row, tab) => held.current.openRow(row.id, tab),
      copy: (row) =>
        void copyText(String(row[of.title] ?? "")).then((copied) =>
          showToast(copied ? { kind: "ok", text: "复制成功" } : { kind: "error", text: "复制失败，请手动选择后复制" }),
        ),
      toggle: (id) => held.current.selection.toggle(id),
      remove: (row) => {
        if (!held.current.may.remove) return;
        held.current.setRemoving({
          ids: [row.id],
          where: undefined,
          count: 1,
          titles: [held.current.titleOf(row)],
        });
      },
      menu: (row, button) => held.current.setMenu({ row, button }),
    }),
    [of.title],
  );

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
  // Once for each row that is begun: what is typed must not be begun anew by a condition that changes behind it.
  const begun = useMemo(() => (isNew ? held.current.given?.(held.current.where) : undefined), [isNew]);
  const one = t(of.words.one);
  const many = t(of.words.many);
  const filtered = setConditions(conditions, state.where).length > 0 || state.keyword !== "";
  const everything = useQuery({
    ...countOf(of, { keyword: "", where: {} }),
    enabled: filtered && !isTree && paged.rows !== undefined,
  });
  const importPath = `${location.pathname.replace(/\/+$/, "")}/import`;
  const startExport = (chosen: Readonly<Record<string, unknown>>): void =>
    void exportRows(
      of,
      chosen,
      // With the field that finds a row, the sheet can be imported again.
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
              ]),
        ]
      : []),
    ...actions(row),
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
  const moveBy = (row: Row, way: "up" | "down"): void => {
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
  const sheetActions: MenuAction[] = [
    ...(may.import
      ? [{ id: "import", icon: "upload", name: t("导入"), onAction: () => void navigate(importPath) } as const]
      : []),
    ...(may.export
      ? [
          {
            id: "export",
            icon: "download",
            name: isTree ? t("导出") : t("导出 {count} 条", { count: number(total) }),
            onAction: () => startExport({ where: whereOf(state) }),
          } as const,
        ]
      : []),
  ];
  const choosable = may.edit || may.remove || may.export;
  const body = (shown: NonNullable<typeof items>) =>
    narrow ? (
      <ResourceCards
        of={of}
        items={shown}
        columns={shownColumns}
        cells={cells}
        selection={selection}
        choosable={choosable}
        openId={state.row}
        expand={isTree ? tree.expand : undefined}
        more={paged.more}
      />
    ) : (
      <ResourceTable
        of={of}
        items={shown}
        columns={columns}
        choice={choice.columns}
        onChoice={(next) => setChoice({ ...choice, columns: next })}
        sort={
          state.sort ??
          (isTree ? undefined : of.order?.[0] && sorts.includes(of.order[0].field) ? of.order[0] : undefined)
        }
        onSort={(sort) => change({ sort })}
        selection={selection}
        choosable={choosable}
        state={state}
        tree={isTree ? { expand: tree.expand, move: may.edit && !tree.searched ? tree.move : undefined } : undefined}
        cells={cells}
        rowHeight={choice.rowHeight}
        stale={paged.stale}
        missing={state.size === "all" ? Math.max(0, total - shown.length) : 0}
        more={paged.more}
      />
    );
  const inPlace = () => {
    if (!ready)
      return (
        <NeedsCondition
          of={of}
          needed={needed}
          onPick={({ name }) => setEntering(narrow ? "*" : name)}
          onLast={lastSearch && (() => change(lastSearch))}
        />
      );
    if (error?.code === 403) return <NotAllowed of={of} />;
    if (error && !items && !(showLast && last))
      return (
        <Failed
          error={error}
          onRetry={reload}
          last={last && { atMs: last.atMs, count: last.rows.length }}
          onShowLast={() => setShowLast(true)}
        />
      );
    if (error && !items && last) return body(itemsOf(last.rows));
    if (!items) return <TableSkeleton rows={narrow ? 5 : 10} />;
    if (items.length > 0) return body(items);
    return filtered ? (
      <NoMatch of={of} conditions={conditions} state={state} change={change} />
    ) : (
      <NothingYet
        of={of}
        onAdd={may.add ? () => add() : undefined}
        onImport={may.import ? () => void navigate(importPath) : undefined}
      />
    );
  };
  const compact = choice.rowHeight === "compact";
  const columnsEditor = (onClose: () => void) => (
    <Suspense fallback={<TableSkeleton rows={6} />}>
      <ColumnsEditor
        columns={columns}
        choice={choice.columns}
        title={of.title}
        onChoice={(next) => setChoice({ ...choice, columns: next })}
        onReset={() => setChoice({ ...choice, columns: readListChoice(undefined, of.title).columns })}
        onClose={onClose}
      />
    </Suspense>
  );
  const shownItems = items ?? [];
  return (
    <ListControlsContext value={controls}>
      <Crumbs />
      <div className={styles.head}>
        <h1>{many}</h1>
        {items && total > 0 && !isTree && <span className="mut num">{t("{count} 条", { count: number(total) })}</span>}
        <span className={styles.space} />
        {narrow && (
          <MenuButton
            label={t("更多")}
            button={<IconButton icon="more" label={t("更多")} />}
            actions={[
              ...sheetActions,
              { id: "columns", icon: "columns", name: t("列"), onAction: () => setChoosingColumns(true) },
            ]}
          />
        )}
        {!narrow &&
          sheetActions.map(({ id, icon, name, onAction }) => (
            <Button key={id} icon={icon} isDisabled={id === "export" && total === 0} onPress={onAction}>
              {name}
            </Button>
          ))}
        {head}
        {may.add && (
          <Button kind="primary" icon="plus" onPress={() => add()}>
            {t("新增{one}", { one })}
          </Button>
        )}
      </div>
      <div className={styles.kit}>
        <section
          className={styles.list}
          aria-label={t("{name}列表", { name: many })}
          data-density={compact ? "compact" : choice.rowHeight === "regular" ? "regular" : undefined}
        >
          <ViewsBar
            of={of}
            counted={items !== undefined}
            views={choice.views}
            onViews={(views) => setChoice({ ...choice, views })}
            state={state}
            change={change}
          />
          <FilterBar
            of={of}
            conditions={conditions}
            state={state}
            change={change}
            narrow={narrow}
            sorts={columns.filter(({ sortable }) => sortable)}
            entering={entering}
            onEnter={setEntering}
            tools={
              <>
                <PopoverButton
                  label={t("列")}
                  placement="bottom end"
                  button={
                    <Button small icon="columns">
                      {t("列")}
                      <span className="mut num">
                        {shownColumns.length}/{columns.length}
                      </span>
                    </Button>
                  }
                >
                  {columnsEditor}
                </PopoverButton>
                <fieldset className={styles.density} aria-label={t("行高")}>
                  {(["regular", "compact"] as const).map((height) => (
                    <button
                      key={height}
                      type="button"
                      aria-pressed={compact === (height === "compact")}
                      aria-label={t(height === "regular" ? "舒展" : "紧凑")}
                      title={t(height === "regular" ? "舒展" : "紧凑")}
                      onClick={() => setChoice({ ...choice, rowHeight: height })}
                    >
                      <Icon name={height === "regular" ? "menu" : "dense"} small />
                    </button>
                  ))}
                </fieldset>
              </>
            }
          />
          {error && items && (
            <FaultBanner text={t("没有取到新的列表，下面是之前取到的。")}>
              <Button small icon="reload" onPress={reload}>
                {t("再试")}
              </Button>
            </FaultBanner>
          )}
          {inPlace()}
          {selection.count > 0 && (
            <BulkActions
              of={of}
              state={state}
              selection={selection}
              pageIds={shownItems.map(({ row }) => row.id)}
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
          )}
          {!isTree && items && items.length > 0 && (
            <Pager
              state={state}
              change={change}
              shown={items.length}
              page={paged.page}
              total={total}
              outOf={filtered ? everything.data : undefined}
              pages={paged.pages}
            />
          )}
        </section>
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
              {...(begun && { given: begun })}
              onAdded={onAdded}
              onClose={close}
            />
          </Suspense>
        )}
      </div>
      {menu && (
        <Popover
          className={menuStyles.popover ?? ""}
          triggerRef={{ current: menu.button }}
          placement="bottom end"
          offset={4}
          isOpen
          onOpenChange={(open) => !open && setMenu(undefined)}
        >
          <MenuList
            label={t("{name} 的操作", { name: titleOf(menu.row) })}
            actions={rowActions(menu.row)}
            onClose={() => setMenu(undefined)}
          />
        </Popover>
      )}
      {choosingColumns && (
        <Dialog
          title={t("列")}
          onClose={() => setChoosingColumns(false)}
          footer={
            <Button kind="primary" onPress={() => setChoosingColumns(false)}>
              {t("完成")}
            </Button>
          }
        >
          {columnsEditor(() => setChoosingColumns(false))}
        </Dialog>
      )}
      {removing && (
        <RemoveDialog
          of={of}
          {...removing}
          onRemoved={() => {
            selection.clear();
            if (removing.where || removing.ids.includes(state.row)) close();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </ListControlsContext>
  );
}
