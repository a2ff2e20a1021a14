import { isBlank, type ListDeclaration } from "@herdwise/contract/resource";
import { useMemo, useState } from "react";
import { Icon } from "../icons/icon.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Cell } from "./cell.tsx";
import type { Cells } from "./cells.ts";
import { alikeIn, type Column, stateFieldOf } from "./columns.ts";
import type { Row } from "./form-values.ts";
import { useListControls } from "./list-controls.ts";
import type { ListItem } from "./list-items.ts";
import styles from "./resource-cards.module.css";
import { RowMenu } from "./row-menu.tsx";
import { RowTitle } from "./row-title.tsx";
import type { Selection } from "./use-selection.ts";

interface ResourceCardsProps {
  of: ListDeclaration;
  items: readonly ListItem[];
  columns: readonly Column[];
  cells: Cells;
  selection: Selection;
  choosable: boolean;
  openId: string;
  expand: ((id: string, open: boolean) => void) | undefined;
  /** All rows of the list stand here. */
  isWhole: boolean;
  isFiltered: boolean;
  more: (() => void) | undefined;
}

/** A tree has no pages: so many of its cards stand at first. */
const firstCards = 30;
/** Lines of a card whose list does not say what its cards tell. */
const mostLines = 5;

/** Empty values take no line of a card. */
const isTold = ({ id, field }: Column, row: Row): boolean =>
  !isBlank(row[id]) && !(field?.kind === "reference" && row[id] === "0");

/** A number, and the "yes" or "no" of a switch, mean something beside their name only. */
const isState = (of: ListDeclaration, { id, field }: Column): boolean =>
  id === stateFieldOf(of) && field?.kind !== "switch" && field?.kind !== "number";

/** Rows as cards, for phones. */
export function ResourceCards({
  of,
  items,
  columns,
  cells,
  selection,
  choosable,
  openId,
  expand,
  isWhole,
  isFiltered,
  more,
}: ResourceCardsProps) {
  const t = useTranslate();
  const controls = useListControls();
  const nameOf = useNames();
  const alike = useMemo(
    () =>
      alikeIn(
        of,
        items.map(({ row }) => row),
        columns,
        { isOwn: (id) => cells[id] !== undefined, isWhole, isFiltered },
      ),
    [of, items, columns, cells, isWhole, isFiltered],
  );
  const Acts = cells.acts;
  const told = useMemo(() => {
    const state = stateFieldOf(of);
    const others = columns.filter(
      // A state that all of them share tells nobody anything, unless the list says that its cards tell it.
      ({ id }) =>
        id !== of.title &&
        alike[id] !== "nothing" &&
        alike[id] !== "kind" &&
        !(id === state && alike[id] === "same" && !of.card?.includes(id)),
    );
    if (of.card) return [...new Set([...of.card, state])].flatMap((name) => others.find(({ id }) => id === name) ?? []);
    // What tells one row from another comes first.
    return [...others.filter(({ id }) => alike[id] === undefined), ...others.filter(({ id }) => alike[id] === "same")];
  }, [of, columns, alike]);
  // A state is told by its word alone, at the end of the title; anything else says what it is.
  const status = told.find((column) => isState(of, column));
  /** A cell that is drawn by the screen may tell more than its own value, where the list names it for its cards. */
  const isDrawn = ({ id }: Column): boolean => cells[id] !== undefined && of.card?.includes(id) === true;
  const [allShown, setAllShown] = useState(false);
  // More than a handful would be left out.
  const shown =
    expand !== undefined && !allShown && items.length > firstCards * 1.2 ? items.slice(0, firstCards) : items;
  const linesOf = (row: Row): readonly Column[] =>
    told.filter((column) => column !== status && (isTold(column, row) || isDrawn(column)));
  return (
    <>
      <ul className={styles.cards}>
        {shown.map(({ row, depth, hasChildren, expanded, path }) => {
          const title = nameOf(String(row[of.title] ?? ""));
          const show = (column: Column) => {
            const Own = cells[column.id];
            return Own ? <Own row={row} value={row[column.id]} /> : <Cell column={column} row={row} />;
          };
          const titleColumn = columns.find(({ id }) => id === of.title);
          const lines = linesOf(row);
          // A line that says that there is one more would take the place of that one.
          const most = lines.length === mostLines + 1 ? lines.length : mostLines;
          return (
            <li
              key={row.id}
              data-row={row.id}
              data-chosen={selection.has(row.id) || undefined}
              data-open={openId === row.id || undefined}
              style={depth > 0 ? { paddingLeft: `${Math.min(depth, 4) * 16}px` } : undefined}
            >
              {choosable && (
                <label className={styles.check}>
                  <CheckBox
                    aria-label={t("选择 {name}", { name: title })}
                    checked={selection.has(row.id)}
                    onChange={() => controls.toggle?.(row.id)}
                  />
                </label>
              )}
              <div className={styles.content}>
                <div className={styles.head}>
                  <RowTitle row={row} tabIndex={0} pressable={styles.open} plain={styles.open}>
                    {titleColumn ? show(titleColumn) : title}
                  </RowTitle>
                  {status && <span className={styles.status}>{show(status)}</span>}
                </div>
                {path && <small>{path}</small>}
                <div className={styles.foot} data-short={lines.length < 2 || undefined}>
                  <div className={styles.lines}>
                    {lines.length > 0 && (
                      <dl>
                        {lines.slice(0, most).map((column) => (
                          <div key={column.id}>
                            <dt>{t(column.label)}</dt>
                            <dd>{show(column)}</dd>
                          </div>
                        ))}
                      </dl>
                    )}
                    {lines.length > most && <small>{t("另有 {count} 项", { count: lines.length - most })}</small>}
                    {hasChildren && (
                      <button
                        type="button"
                        className={styles.below}
                        aria-expanded={expanded}
                        aria-label={t("看{name}的下级", { name: title })}
                        onClick={() => expand?.(row.id, !expanded)}
                      >
                        <Icon name={expanded ? "up" : "down"} />
                      </button>
                    )}
                  </div>
                  {Acts && (
                    <div className={styles.acts}>
                      <Acts row={row} value={undefined} />
                    </div>
                  )}
                </div>
              </div>
              <RowMenu row={row} title={title} tabIndex={0} />
            </li>
          );
        })}
      </ul>
      {shown.length < items.length && (
        <button type="button" className={styles.more} onClick={() => setAllShown(true)}>
          {t("看其余 {count} 条", { count: items.length - shown.length })}
        </button>
      )}
      {more && shown.length === items.length && (
        <button type="button" className={styles.more} onClick={more}>
          {t("再看一些")}
        </button>
      )}
    </>
  );
}
