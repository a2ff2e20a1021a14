import type { ListDeclaration } from "@herdwise/contract/resource";
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Icon } from "../icons/icon.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { usePreferences } from "../preferences/preferences.tsx";
import type { Cells } from "./cells.ts";
import {
  alikeIn,
  arranged,
  boundedWidth,
  type Column,
  type ColumnChoice,
  fittedWidths,
  isShown,
  widthBounds,
  withRoom,
} from "./columns.ts";
import type { Row } from "./form-values.ts";
import type { RowHeight } from "./list-choice.ts";
import { useListControls } from "./list-controls.ts";
import { type DropPlace, dropTarget, keyTarget, type ListItem, parentOf, type Target } from "./list-items.ts";
import type { ListState, Sort } from "./list-state.ts";
import styles from "./resource-table.module.css";
import { type PinnedAt, TableRow } from "./table-row.tsx";
import { useMeasured, useNeeds } from "./use-needs.ts";
import type { Selection } from "./use-selection.ts";

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
});
const noRows: Record<string, unknown>[] = [];
/** Lists longer than this have their own scroll area and render only visible rows. */
const longList = 60;
const checkWidth = 46;
/** The button of a row's menu, with its room. */
const menuWidth = 52;

interface TreeControls {
  expand: (id: string, open: boolean) => void;
  /** Undefined where rows can't be moved. */
  move: ((row: Row, target: Target) => void) | undefined;
}

interface ResourceTableProps {
  of: ListDeclaration;
  items: readonly ListItem[];
  columns: readonly Column[];
  choice: ColumnChoice;
  onChoice: (choice: ColumnChoice) => void;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  selection: Selection;
  /** Rows can be selected; only true when the person has an action for them. */
  choosable: boolean;
  state: ListState;
  tree: TreeControls | undefined;
  cells: Cells;
  rowHeight: RowHeight | undefined;
  /** Other rows are being loaded, so the shown ones are outdated. */
  stale: boolean;
  /** All rows of the list stand here. */
  isWhole: boolean;
  isFiltered: boolean;
  /** Number of rows below that are not loaded yet. */
  missing: number;
  more: (() => void) | undefined;
  /** Called with the number of columns that have found room. */
  onInSight: (count: number) => void;
}

/** Cycles the sorting: none, ascending, descending. */
const nextSort = (sort: Sort | undefined, field: string): Sort | undefined => {
  if (sort?.field !== field) return { field, direction: "asc" };
  return sort.direction === "asc" ? { field, direction: "desc" } : undefined;
};

/** Rows as a table. One row is in the tab order; arrow keys move between rows. */
export function ResourceTable(props: ResourceTableProps) {
  const { of, items, columns, choice, onChoice, sort, onSort, selection, choosable, state, tree, missing, more } =
    props;
  const { onInSight } = props;
  const t = useTranslate();
  const { number } = useFormats();
  const controls = useListControls();
  const scroller = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState(0);
  const moveFocus = useRef(false);
  const [drop, setDrop] = useState<{ id: string; place: DropPlace }>();
  const [sizes, setSizes] = useState<Record<string, number>>();

  const order = useMemo(() => arranged(columns, choice), [columns, choice]);
  const lead = choosable ? checkWidth : 0;
  const [room, setRoom] = useState(0);
  // Before the first frame, so that no column changes its width before the reader's eyes.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = (): void => setRoom(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  // Of a long list those that come while scrolling change no column.
  const first = useMemo(() => items.slice(0, 30).map(({ row }) => row), [items]);
  const rowKey = first.map(({ id }) => id).join(" ");
  const [needs, keepNeeds] = useNeeds(rowKey);
  const actionsWidth = Math.max(menuWidth, needs.acts ?? 0);
  const alike = useMemo(
    () =>
      alikeIn(of, first, order, {
        isOwn: (id) => props.cells[id] !== undefined,
        isWhole: props.isWhole,
        isFiltered: props.isFiltered,
      }),
    [of, first, order, props.cells, props.isWhole, props.isFiltered],
  );
  const visible = useMemo(
    () =>
      withRoom(
        order.filter((column) => isShown(column, choice, of.title)),
        choice,
        Math.max(0, room - lead - actionsWidth),
        { alike, needs },
      ),
    [order, choice, of.title, room, lead, actionsWidth, alike, needs],
  );
  useEffect(() => onInSight(visible.length), [onInSight, visible.length]);
  const fitted = useMemo(
    () => (room === 0 ? {} : fittedWidths(visible, choice.widths, room - lead - actionsWidth, needs)),
    [visible, choice.widths, room, lead, actionsWidth, needs],
  );
  const definitions = useMemo(
    () =>
      order.map(({ id, width }) => ({
        id,
        size: fitted[id] ?? width,
        minSize: widthBounds.min,
        maxSize: widthBounds.max,
        accessorFn: () => undefined,
      })),
    [order, fitted],
  );
  // Memoized, because the table reacts to each new object.
  const arrangement = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(order.map((column) => [column.id, visible.includes(column)])),
      columnOrder: order.map(({ id }) => id),
      columnPinning: { start: [...choice.pinned], end: [] },
    }),
    [order, visible, choice],
  );
  const held = useMemo(
    () => ({ ...arrangement, columnSizing: sizes ?? choice.widths }),
    [arrangement, sizes, choice.widths],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    columnResizeMode: "onChange",
    state: held,
    // A drag only changes the widths of <col>, without rendering rows; the setting is stored when it ends.
    onColumnSizingChange: (change) =>
      setSizes((now) => (typeof change === "function" ? change(now ?? { ...choice.widths }) : change)),
  });
  const resizing = table.state.columnResizing.isResizingColumn;
  useEffect(() => {
    if (resizing || !sizes) return;
    onChoice({
      ...choice,
      widths: Object.fromEntries(Object.entries(sizes).map(([id, size]) => [id, boundedWidth(size)])),
    });
    setSizes(undefined);
  }, [resizing, sizes, choice, onChoice]);

  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const shownIds = headers.map(({ column }) => column.id).join(" ");
  const shown = useMemo(
    () => shownIds.split(" ").flatMap((id) => order.find((column) => column.id === id) ?? []),
    [shownIds, order],
  );
  const pinned = useMemo((): PinnedAt => {
    const isPinned = new Set(choice.pinned);
    return Object.fromEntries(shown.filter(({ id }) => isPinned.has(id)).map(({ id }, index) => [id, index]));
  }, [shown, choice.pinned]);
  const widths = headers.map((header) => header.getSize());
  const total = widths.reduce((sum, width) => sum + width, lead + actionsWidth);
  // Left offsets of pinned columns as CSS variables, so that rows need not be rendered while a width changes.
  const starts: Record<string, string> = {};
  let start = lead;
  headers.forEach(({ column }, index) => {
    const place = pinned[column.id];
    if (place === undefined) return;
    starts[`--pin-${place}`] = `${start}px`;
    start += widths[index] ?? 0;
  });

  const [rowHeight, setRowHeight] = useState(44);
  const { density } = usePreferences();
  // Reading a style makes the browser compute the layout, so it is not done while scrolling.
  useLayoutEffect(() => {
    if (!scroller.current) return;
    setRowHeight(Number.parseFloat(getComputedStyle(scroller.current).getPropertyValue("--row")) || 44);
  }, [density, props.rowHeight]);
  const count = items.length + missing;
  const isLong = count > longList;
  const virtual = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => virtual.measure(), [rowHeight, virtual]);
  const drawn = isLong ? virtual.getVirtualItems().map(({ index }) => index) : items.map((_, index) => index);
  useMeasured(drawing, {
    // Rows of a long list are drawn a moment later.
    rows: drawn.length === 0 ? "" : rowKey,
    shown: visible.map(({ id }) => id).join(" "),
    lead: choosable ? 1 : 0,
    keep: keepNeeds,
  });
  const [firstDrawn = 0] = drawn;
  const lastDrawn = drawn.at(-1) ?? -1;
  useEffect(() => {
    if (more && lastDrawn >= items.length - 100) more();
  }, [more, lastDrawn, items.length]);

  const current = Math.min(focused, Math.max(0, items.length - 1));
  useEffect(() => {
    if (!moveFocus.current) return;
    moveFocus.current = false;
    body.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  });
  const goTo = (index: number): void => {
    const bounded = Math.max(0, Math.min(items.length - 1, index));
    setFocused(bounded);
    moveFocus.current = true;
    if (isLong) virtual.scrollToIndex(bounded);
  };
  const onKey = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    // Only when the row itself has the focus, because boxes and buttons in it have keys of their own.
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const item = items[current];
    if (!item) return;
    const { row } = item;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -count, End: count }[event.key];
    const act = (): boolean => {
      if (tree && event.altKey) {
        const way = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" }[event.key];
        if (way === undefined) return false;
        const target = keyTarget(items, row.id, way as "up");
        if (target) tree.move?.(row, target);
        return true;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (step !== undefined) {
        goTo(current + step);
        return true;
      }
      if (tree && event.key === "ArrowRight") {
        if (item.hasChildren && !item.expanded) tree.expand(row.id, true);
        else if (item.expanded) goTo(current + 1);
        return true;
      }
      if (tree && event.key === "ArrowLeft") {
        if (item.expanded) tree.expand(row.id, false);
        else goTo(items.findIndex((held) => held.row.id === parentOf(row)));
        return true;
      }
      switch (event.key.toLowerCase()) {
        case "enter":
        case "e":
          controls.open?.(row);
          return true;
        case "h":
          controls.open?.(row, "history");
          return true;
        case "c":
          controls.copy?.(row);
          return true;
        case "delete":
          controls.remove?.(row);
          return true;
        case " ":
          if (choosable) controls.toggle?.(row.id);
          return true;
        default:
          return false;
      }
    };
    if (!act()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const latest = useRef({ items, tree });
  latest.current = { items, tree };
  const dropped = useCallback((moving: string, over: string, place: DropPlace): void => {
    setDrop(undefined);
    const now = latest.current;
    const row = now.items.find((held) => held.row.id === moving)?.row;
    const target = dropTarget(now.items, moving, over, place);
    if (row && target) now.tree?.move?.(row, target);
  }, []);
  // Memoized, because there may be ten thousand ids and scrolling renders often.
  const pageIds = useMemo(() => items.map(({ row }) => row.id), [items]);
  const chosenHere = useMemo(() => pageIds.filter(selection.has).length, [pageIds, selection]);
  const span = shown.length + (choosable ? 1 : 0) + 2;
  const canMove = tree?.move !== undefined;
  // Names stand at the edge until there is something below one of them.
  const isNested = tree !== undefined && items.some(({ hasChildren, depth }) => hasChildren || depth > 0);
  return (
    <>
      <section
        ref={scroller}
        className={styles.scroller}
        data-long={isLong || undefined}
        data-stale={props.stale || undefined}
        aria-label={t("{name}表格", { name: t(of.words.many) })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <table
          ref={drawing}
          className={styles.table}
          role={tree ? "treegrid" : undefined}
          aria-rowcount={isLong ? count + 1 : undefined}
          aria-busy={props.stale || undefined}
          style={{ ...starts, minWidth: `${total}px` } as CSSProperties}
        >
          <colgroup>
            {choosable && <col style={{ width: `${checkWidth}px` }} />}
            {headers.map((header, index) => (
              <col key={header.id} style={{ width: `${widths[index]}px` }} />
            ))}
            <col />
            <col style={{ width: `${actionsWidth}px` }} />
          </colgroup>
          <thead>
            <tr>
              {choosable && (
                <th scope="col" className={styles.check}>
                  <CheckBox
                    aria-label={t("选择本页全部")}
                    checked={pageIds.length > 0 && chosenHere === pageIds.length}
                    mixed={chosenHere > 0 && chosenHere < pageIds.length}
                    onChange={(event) => selection.set(pageIds, event.target.checked)}
                  />
                </th>
              )}
              {headers.map((header) => {
                const column = order.find(({ id }) => id === header.column.id);
                if (!column) return null;
                const sorted = sort?.field === column.id ? sort.direction : undefined;
                const place = pinned[column.id];
                return (
                  <th
                    key={column.id}
                    scope="col"
                    data-pinned={place === undefined ? undefined : ""}
                    data-number={column.field?.kind === "number" || undefined}
                    style={place === undefined ? undefined : { left: `var(--pin-${place})` }}
                    aria-sort={sorted === undefined ? undefined : sorted === "asc" ? "ascending" : "descending"}
                  >
                    {column.sortable ? (
                      <button type="button" onClick={() => onSort(nextSort(sort, column.id))}>
                        {t(column.label)}
                        {sorted && <Icon name={sorted === "asc" ? "ascending" : "descending"} small />}
                      </button>
                    ) : (
                      t(column.label)
                    )}
                    {/* The keyboard alternative is the width input in the columns' popover. */}
                    <i
                      className={styles.edge}
                      aria-hidden="true"
                      data-active={resizing === column.id || undefined}
                      onMouseDown={header.getResizeHandler()}
                      onTouchStart={header.getResizeHandler()}
                    />
                  </th>
                );
              })}
              <td className={styles.filler} />
              <th scope="col" className={styles.actions}>
                <span className="visually-hidden">{t("操作")}</span>
              </th>
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={onKey}>
            {isLong && firstDrawn > 0 && (
              <tr className={styles.spacer}>
                <td colSpan={span} style={{ height: `${firstDrawn * rowHeight}px` }} />
              </tr>
            )}
            {drawn.map((index) => {
              const item = items[index];
              if (!item)
                return (
                  <tr key={`wait ${index}`} className={styles.waiting}>
                    <td colSpan={span}>
                      <i />
                    </td>
                  </tr>
                );
              return (
                <TableRow
                  key={item.row.id}
                  of={of}
                  item={item}
                  index={index}
                  columns={shown}
                  pinned={pinned}
                  cells={props.cells}
                  choosable={choosable}
                  chosen={selection.has(item.row.id)}
                  open={state.row === item.row.id}
                  reachable={index === current}
                  onReach={setFocused}
                  isTree={tree !== undefined}
                  isNested={isNested}
                  expand={tree?.expand}
                  draggable={canMove}
                  drop={drop?.id === item.row.id ? drop.place : undefined}
                  onDragOver={setDrop}
                  onDropped={dropped}
                />
              );
            })}
            {isLong && lastDrawn >= 0 && lastDrawn < count - 1 && (
              <tr className={styles.spacer}>
                <td colSpan={span} style={{ height: `${(count - 1 - lastDrawn) * rowHeight}px` }} />
              </tr>
            )}
          </tbody>
        </table>
      </section>
      {isLong && tree && (
        <p className={styles.foot}>{t("现在展开 {count} 行，往下滚动看其余的", { count: number(count) })}</p>
      )}
    </>
  );
}
