import { type ListDeclaration, referenceNameOf } from "@herdwise/contract/resource";
import { type DragEvent, type MouseEvent, memo } from "react";
import { Icon } from "../icons/icon.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Cell } from "./cell.tsx";
import type { Cells } from "./cells.ts";
import type { Column } from "./columns.ts";
import { useListControls } from "./list-controls.ts";
import type { DropPlace, ListItem } from "./list-items.ts";
import styles from "./resource-table.module.css";
import { RowMenu } from "./row-menu.tsx";
import { RowTitle } from "./row-title.tsx";

/** Index of each pinned column. */
export type PinnedAt = Readonly<Record<string, number>>;

interface TableRowProps {
  of: ListDeclaration;
  item: ListItem;
  index: number;
  columns: readonly Column[];
  pinned: PinnedAt;
  cells: Cells;
  choosable: boolean;
  chosen: boolean;
  open: boolean;
  /** The row that Tab reaches. */
  reachable: boolean;
  onReach: (index: number) => void;
  isTree: boolean;
  /** Some row of the tree has rows below it, so that names leave room for the arrow. */
  isNested: boolean;
  expand: ((id: string, open: boolean) => void) | undefined;
  draggable: boolean;
  /** Where a row that is dragged over this one would be placed. */
  drop: DropPlace | undefined;
  onDragOver: (drop: { id: string; place: DropPlace } | undefined) => void;
  onDropped: (moving: string, over: string, place: DropPlace) => void;
}

const dragType = "application/x-herdwise-row";

function placeOf(event: DragEvent<HTMLTableRowElement>): DropPlace {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - top) / height;
  return share < 0.3 ? "before" : share > 0.7 ? "after" : "into";
}

/** Sentences that the screen does not draw itself, and names of places and things, which take a second line before they are cut. */
const takesLines = ({ field }: Column, isDrawn: boolean): boolean =>
  field?.kind === "reference" ||
  (!isDrawn && field?.kind === "text" && (field.lines !== undefined || field.rule === "region"));

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button, a, input, label, [role=menu]") !== null;

/** A row of the table; it is rendered only when its own properties change. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const {
    of,
    item,
    index,
    columns,
    pinned,
    cells,
    choosable,
    chosen,
    open,
    reachable,
    onReach,
    isTree,
    isNested,
    expand,
  } = props;
  const { row, depth, hasChildren, expanded, path } = item;
  const t = useTranslate();
  const controls = useListControls();
  const nameOf = useNames();
  const title = nameOf(String(row[of.title] ?? ""));
  // Cells show their full text as a tooltip, because it may be cut off.
  const hintOf = ({ id, field }: Column): string | undefined => {
    // A coded value has a second field with its name.
    const coded = field && (field.kind !== "text" || field.rule === "region");
    const value = coded ? row[field.kind === "reference" ? referenceNameOf(id) : `${id}Name`] : row[id];
    return typeof value === "string" && value !== "" ? value.split(" · ").map(nameOf).join(" · ") : undefined;
  };
  const tabIndex = reachable ? 0 : -1;
  const Acts = cells.acts;
  const drag = props.draggable
    ? {
        draggable: true,
        onDragStart: (event: DragEvent<HTMLTableRowElement>) => {
          event.dataTransfer.setData(dragType, row.id);
          event.dataTransfer.effectAllowed = "move";
        },
        onDragOver: (event: DragEvent<HTMLTableRowElement>) => {
          if (!event.dataTransfer.types.includes(dragType)) return;
          event.preventDefault();
          const place = placeOf(event);
          if (props.drop !== place) props.onDragOver({ id: row.id, place });
        },
        onDragEnd: () => props.onDragOver(undefined),
        onDrop: (event: DragEvent<HTMLTableRowElement>) => {
          event.preventDefault();
          props.onDropped(event.dataTransfer.getData(dragType), row.id, placeOf(event));
        },
      }
    : {};
  return (
    // The button in the row is the accessible control; clicking anywhere in the row is a convenience.
    <tr
      className={styles.row}
      data-index={index}
      data-chosen={chosen || undefined}
      data-open={open || undefined}
      data-drop={props.drop}
      aria-current={open ? "true" : undefined}
      aria-rowindex={index + 2}
      {...(isTree ? { "aria-level": depth + 1 } : {})}
      {...(isTree && hasChildren ? { "aria-expanded": expanded } : {})}
      {...(isTree && choosable ? { "aria-selected": chosen } : {})}
      tabIndex={tabIndex}
      onFocus={() => onReach(index)}
      onClick={(event: MouseEvent) => !isControl(event.target) && controls.open?.(row)}
      {...drag}
    >
      {choosable && (
        <td className={styles.check}>
          <CheckBox
            aria-label={t("选择 {name}", { name: title })}
            checked={chosen}
            tabIndex={tabIndex}
            onChange={() => controls.toggle?.(row.id)}
          />
        </td>
      )}
      {columns.map((column) => {
        const place = pinned[column.id];
        const Own = cells[column.id];
        const content = Own ? <Own row={row} value={row[column.id]} /> : <Cell column={column} row={row} />;
        const shared = {
          "data-pinned": place === undefined ? undefined : "",
          "data-number": column.field?.kind === "number" || undefined,
          style: place === undefined ? undefined : { left: `var(--pin-${place})` },
        };
        if (column.id !== of.title)
          return (
            <td key={column.id} {...shared} title={Own ? undefined : hintOf(column)}>
              {takesLines(column, Own !== undefined) ? (
                <span className={Own ? styles.wraps : styles.lines}>{content}</span>
              ) : (
                content
              )}
            </td>
          );
        return (
          <th key={column.id} scope="row" {...shared}>
            <span className={styles.title} style={isTree ? { paddingLeft: `${depth * 20}px` } : undefined}>
              {isNested &&
                (hasChildren ? (
                  <button
                    type="button"
                    className={styles.twist}
                    data-open={expanded || undefined}
                    tabIndex={tabIndex}
                    aria-label={t(expanded ? "收起 {name}" : "展开 {name}", { name: title })}
                    onClick={() => expand?.(row.id, !expanded)}
                  >
                    <Icon name="right" small />
                  </button>
                ) : (
                  <span className={styles.twist} />
                ))}
              <span>
                <RowTitle row={row} tabIndex={tabIndex} pressable={styles.name} plain={styles.plain}>
                  {content}
                </RowTitle>
                {path && <small className={styles.path}>{path}</small>}
              </span>
            </span>
          </th>
        );
      })}
      <td className={styles.filler} />
      <td className={styles.actions}>
        <span className={styles.acts}>
          {Acts && <Acts row={row} value={undefined} />}
          <RowMenu row={row} title={title} tabIndex={tabIndex} />
        </span>
      </td>
    </tr>
  );
});
