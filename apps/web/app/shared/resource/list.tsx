import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import { Popover } from "react-aria-components/Popover";
import { Icon, type IconName } from "../icons/icon.tsx";
import { Button, IconButton } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import menuStyles from "../kit/menu.module.css";
import { type MenuAction, MenuButton, MenuList } from "../kit/menu.tsx";
import { PopoverButton } from "../kit/popover.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { widthOfText } from "../kit/text-width.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { FaultBanner } from "../states/fault-banner.tsx";
import type { Cells } from "./cells.ts";
import { countText } from "./count-text.ts";
import { FilterBar } from "./filter-bar.tsx";
import type { Row } from "./form-values.ts";
import { readListChoice } from "./list-choice.ts";
import { type ListControls, ListControlsContext } from "./list-controls.ts";
import { itemsOf } from "./list-items.ts";
import { Failed, NeedsCondition, NoMatch, NotAllowed } from "./list-states.tsx";
import { Pager } from "./pager.tsx";
import { ResourceCards } from "./resource-cards.tsx";
import styles from "./resource-screen.module.css";
import { ResourceTable } from "./resource-table.tsx";
import type { UsedList } from "./use-list.ts";
import { type ViewCounts, ViewsBar } from "./views-bar.tsx";

const ColumnsEditor = lazy(async () => ({ default: (await import("./columns-editor.tsx")).ColumnsEditor }));

/** The main action of a list. */
export interface MainAction {
  icon: IconName;
  /** In the chosen language. */
  name: string;
  /** Stands for the name on a phone, where the heading beside it says the rest; the icon alone does where it is left out or has no room. */
  short?: string;
  onAction: () => void;
}

interface ListHeadProps {
  list: UsedList;
  main?: MainAction | false | undefined;
  /** Actions on the whole list; on a phone behind one button. */
  actions?: readonly (MenuAction & { isDisabled?: boolean })[];
  /** A short text about the whole list; on a phone on a line of its own. */
  note?: ReactNode;
  /** Further buttons. */
  children?: ReactNode;
  /** The rows are not shown as a table. */
  plain?: boolean;
}

/** Room of a heading and a button's word beside each other on a phone, px, and how much larger the heading is written. */
const besideHeading = { room: 190, scale: 22 / 13 } as const;

/** Head of a list: its name, the number of rows, and actions on the whole list. */
export function ListHead({ list, main, actions = [], note, children, plain = false }: ListHeadProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const { of, items, narrow, isEmpty } = list;
  const word = main ? (main.short ?? "") : "";
  const hasRoom = widthOfText(t(of.words.many)) * besideHeading.scale + widthOfText(word) <= besideHeading.room;
  const short = word !== "" && hasRoom ? word : undefined;
  const count = countText(list.count, number, of.bounded === true);
  const hidden: readonly MenuAction[] = [
    ...actions.filter(({ isDisabled }) => isDisabled !== true),
    // Nothing is arranged where there is nothing.
    ...(plain || isEmpty
      ? []
      : [{ id: "columns", icon: "columns", name: t("列"), onAction: () => list.setChoosingColumns(true) } as const]),
  ];
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <h1>{t(of.words.many)}</h1>
        {items && list.count > 0 && (
          <span className="mut num">
            {list.isTree ? t("各级共 {count} 条", { count }) : narrow ? count : t("{count} 条", { count })}
          </span>
        )}
      </div>
      {note && <div className={styles.note}>{note}</div>}
      {narrow && hidden.length > 0 && (
        <MenuButton label={t("更多")} button={<IconButton icon="more" label={t("更多")} />} actions={hidden} />
      )}
      {!narrow &&
        actions.map(({ id, icon, name, isDisabled, onAction }) => (
          <Button key={id} icon={icon} isDisabled={isDisabled === true} onPress={onAction}>
            {name}
          </Button>
        ))}
      {children}
      {main && (
        <Button
          kind="primary"
          icon={main.icon}
          onPress={main.onAction}
          {...(narrow && short && short !== main.name && { "aria-label": main.name })}
        >
          {narrow ? (short ?? <span className="visually-hidden">{main.name}</span>) : main.name}
        </Button>
      )}
    </div>
  );
}

interface ListProps {
  list: UsedList;
  cells: Cells;
  /** Custom display of the rows instead of a table. */
  rows?: ((rows: readonly Row[]) => ReactNode) | undefined;
  /** Actions of a row's button and keys; an action that is left out is not offered. */
  controls?: Omit<ListControls, "menu">;
  rowActions?: ((row: Row) => readonly MenuAction[]) | undefined;
  choosable?: boolean;
  /** Rows of the tree can be moved. */
  movable?: boolean;
  /** Shown when there are no rows although no condition is set. */
  nothing: ReactNode;
  /** Additional controls beside the conditions. */
  tools?: ReactNode;
  /** Actions on selected rows. */
  bulk?: ReactNode;
  /** Numbers of rows that the screen knows; the list counts its views where they are left out. */
  counts?: ViewCounts | undefined;
  /** The screen has its own way to choose what is shown, in place of the tabs. */
  untabbed?: boolean;
}

const noControls: Omit<ListControls, "menu"> = {};

/** A list: views, conditions, columns, rows with their states, and the pager. */
export function List(props: ListProps) {
  const {
    list,
    cells,
    rows,
    controls = noControls,
    rowActions,
    choosable = false,
    movable = false,
    nothing,
    tools,
    bulk,
    counts,
    untabbed = false,
  } = props;
  const t = useTranslate();
  const nameOf = useNames();
  const { of, narrow, state, change, choice, setChoice, columns, shownColumns, conditions, sorts } = list;
  const { items, total, error, reload, last, paged, tree, isTree, selection } = list;
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement }>();
  /** Number of columns that have found room; undefined until the rows are measured. */
  const [inSight, setInSight] = useState<number>();
  const held = useRef(controls);
  held.current = controls;
  const hasMenu = rowActions !== undefined;
  const canOpen = controls.open !== undefined;
  const hasLinks = controls.linkOf !== undefined;
  // The same object for the lifetime of the list, so that rows are not rendered again.
  const stable = useMemo(
    (): ListControls => ({
      ...(canOpen && { open: (row, tab) => held.current.open?.(row, tab) }),
      ...(hasLinks && { linkOf: (row) => held.current.linkOf?.(row) ?? "" }),
      copy: (row) => held.current.copy?.(row),
      toggle: (id) => held.current.toggle?.(id),
      remove: (row) => held.current.remove?.(row),
      ...(hasMenu && { menu: (row, button) => setMenu({ row, button }) }),
    }),
    [canOpen, hasLinks, hasMenu],
  );
  const body = (shown: NonNullable<typeof items>) =>
    rows ? (
      <div className={paged.stale ? "dim" : undefined}>
        {rows(shown.map(({ row }) => row))}
        {paged.more && (
          <Button kind="link" onPress={paged.more}>
            {t("再看一些")}
          </Button>
        )}
      </div>
    ) : narrow ? (
      <ResourceCards
        of={of}
        items={shown}
        columns={shownColumns}
        cells={cells}
        selection={selection}
        choosable={choosable}
        openId={state.row}
        isWhole={total <= shown.length}
        isFiltered={list.filtered}
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
          // Where urgent rows come first, no column orders all of them.
          (isTree || of.urgent
            ? undefined
            : of.order?.[0] && sorts.includes(of.order[0].field)
              ? of.order[0]
              : undefined)
        }
        onSort={(sort) => change({ sort })}
        selection={selection}
        choosable={choosable}
        state={state}
        tree={isTree ? { expand: tree.expand, move: movable && !tree.searched ? tree.move : undefined } : undefined}
        cells={cells}
        rowHeight={choice.rowHeight}
        stale={paged.stale}
        isWhole={total <= Math.min(shown.length, 30)}
        isFiltered={list.filtered}
        missing={state.size === "all" ? Math.max(0, total - shown.length) : 0}
        more={paged.more}
        onInSight={setInSight}
      />
    );
  const inPlace = () => {
    if (!list.ready)
      return (
        <NeedsCondition
          of={of}
          needed={list.needed}
          onPick={({ name }) => list.setEntering(narrow ? "*" : name)}
          onLast={list.lastSearch && (() => change(list.lastSearch ?? {}))}
        />
      );
    if (error?.code === 403) return <NotAllowed of={of} />;
    if (error && !items && !(list.showLast && last))
      return (
        <Failed
          error={error}
          onRetry={reload}
          last={last && { atMs: last.atMs, count: last.rows.length }}
          onShowLast={() => list.setShowLast(true)}
        />
      );
    if (error && !items && last) return body(itemsOf(last.rows));
    if (!items) return <TableSkeleton rows={narrow ? 5 : 10} />;
    if (items.length > 0) return body(items);
    return list.filtered ? <NoMatch of={of} conditions={conditions} state={state} change={change} /> : nothing;
  };
  // Nothing is searched, arranged or saved where there is nothing; another queue may have rows, but the states of a process have none.
  const isAll = !of.views || ("process" in of && Object.keys(state.where).length === 0);
  const isBare = list.isEmpty && isAll && choice.views.length === 0 && tools === undefined;
  const arranges = !narrow && !rows && !list.isEmpty;
  const filters =
    of.words.search !== undefined ||
    conditions.length > 0 ||
    !of.page ||
    Object.values(of.fields).some((field) => field.kind === "text" && field.search === true);
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
  return (
    <ListControlsContext value={stable}>
      <section
        className={styles.list}
        aria-label={t("{name}列表", { name: t(of.words.many) })}
        data-density={compact ? "compact" : choice.rowHeight === "regular" ? "regular" : undefined}
      >
        {!isBare && !untabbed && (conditions.length > 0 || of.views || !of.page) && (
          <ViewsBar list={list} counts={counts} />
        )}
        {!isBare && (filters || arranges || tools !== undefined) && (
          <FilterBar
            of={of}
            conditions={conditions}
            state={state}
            change={change}
            narrow={narrow}
            sorts={columns.filter(({ sortable }) => sortable)}
            entering={list.entering}
            onEnter={list.setEntering}
            tools={
              !arranges ? (
                tools
              ) : (
                <>
                  {tools}
                  <PopoverButton
                    label={t("列")}
                    placement="bottom end"
                    button={
                      <Button small icon="columns">
                        {t("列")}
                        <span className="mut num">
                          {inSight ?? shownColumns.length}/{columns.length}
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
              )
            }
          />
        )}
        {error && items && (
          <FaultBanner text={t("没有取到新的列表，下面是之前取到的。")}>
            <Button small icon="reload" onPress={reload}>
              {t("再试")}
            </Button>
          </FaultBanner>
        )}
        {inPlace()}
        {selection.count > 0 && bulk}
        {!isTree && items && items.length > 0 && (
          <Pager
            state={state}
            change={change}
            shown={items.length}
            page={paged.page}
            total={total}
            bounded={of.bounded === true}
            outOf={list.outOf}
            pages={paged.pages}
          />
        )}
      </section>
      {menu && rowActions && (
        <Popover
          className={menuStyles.popover ?? ""}
          triggerRef={{ current: menu.button }}
          placement="bottom end"
          offset={4}
          isOpen
          onOpenChange={(open) => !open && setMenu(undefined)}
        >
          <MenuList
            label={t("{name} 的操作", { name: nameOf(String(menu.row[of.title] ?? "")) })}
            actions={rowActions(menu.row)}
            onClose={() => setMenu(undefined)}
          />
        </Popover>
      )}
      {list.choosingColumns && (
        <Dialog
          title={t("列")}
          onClose={() => list.setChoosingColumns(false)}
          footer={
            <Button kind="primary" onPress={() => list.setChoosingColumns(false)}>
              {t("完成")}
            </Button>
          }
        >
          {columnsEditor(() => list.setChoosingColumns(false))}
        </Dialog>
      )}
    </ListControlsContext>
  );
}
