import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

/** Space at both sides of a cell's content, and a pixel for rounding. */
const aroundContent = 21;
/** Room behind figures, which stand at the right edge of their column, before the next column's text. */
const behindFigures = 14;
/** Space at both sides of a row's buttons. */
const aroundActs = 18;
/** The arrow of a sorted column, with the gap before it. */
const sortArrow = 17;

/** Pixels that the content of a cell takes, cut or not. */
function needOf(cell: HTMLTableCellElement): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  const add = ({ left, right, width }: DOMRect): void => {
    if (width === 0) return;
    from = Math.min(from, left);
    to = Math.max(to, right);
  };
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement?.closest(".visually-hidden")) continue;
    range.selectNodeContents(text);
    add(range.getBoundingClientRect());
  }
  // Marks, and tags with their padding.
  for (const part of cell.querySelectorAll("*"))
    if (part instanceof SVGSVGElement || getComputedStyle(part).display.startsWith("inline"))
      add(part.getBoundingClientRect());
  if (to === 0) return 0;
  // An indented row of a tree needs its indent, too.
  if (cell.dataset.number !== undefined) to += behindFigures;
  else from = Math.min(from, cell.getBoundingClientRect().left + 10);
  return Math.ceil(to - from) + aroundContent;
}

/** Pixels by column, and what a measurement adds to them. */
type Needs = Readonly<Record<string, number>>;

const noNeeds: Needs = {};

/**
 * Pixels in which the longest value of each column fits, by the column's id, and how a measurement is kept. They only grow while the
 * same rows stand there, so that nothing shrinks under the eyes, and a column that gave way is known when there is room again.
 * @param rows what tells the rows in sight from others
 */
export function useNeeds(rows: string): [needs: Needs, keep: (measured: Needs) => void] {
  const [held, setHeld] = useState<{ rows: string; needs: Needs }>({ rows: "", needs: noNeeds });
  const keep = useCallback(
    (measured: Needs): void =>
      setHeld((now) => {
        const before = now.rows === rows ? now.needs : noNeeds;
        const grown = Object.entries(measured).filter(([id, need]) => need > (before[id] ?? -1));
        return grown.length === 0 && now.rows === rows
          ? now
          : { rows, needs: { ...before, ...Object.fromEntries(grown) } };
      }),
    [rows],
  );
  return [held.needs, keep];
}

/**
 * Measures the longest value of each shown column before the reader sees the rows.
 * @param shown ids of the columns from left to right, joined by blanks
 * @param lead how many cells a row has before them
 */
export function useMeasured(
  table: RefObject<HTMLTableElement | null>,
  { rows, shown, lead, keep }: { rows: string; shown: string; lead: number; keep: (measured: Needs) => void },
): void {
  useLayoutEffect(() => {
    const at = table.current;
    if (!at || rows === "") return;
    const ids = shown.split(" ");
    const measure = (): void => {
      const needs: Record<string, number> = {};
      at.dataset.measured = "";
      for (const row of at.querySelectorAll<HTMLTableRowElement>("thead tr, tr[data-index]"))
        for (const [index, id] of ids.entries()) {
          const cell = row.cells[lead + index];
          if (!cell) continue;
          const arrow =
            cell.closest("thead") && cell.querySelector("button") && !cell.querySelector("svg") ? sortArrow : 0;
          needs[id] = Math.max(needs[id] ?? 0, needOf(cell) + arrow);
        }
      for (const row of at.querySelectorAll<HTMLTableRowElement>("tr[data-index]")) {
        const acts = row.cells[row.cells.length - 1]?.firstElementChild?.getBoundingClientRect().width ?? 0;
        needs.acts = Math.max(needs.acts ?? 0, Math.ceil(acts) + aroundActs);
      }
      delete at.dataset.measured;
      keep(needs);
    };
    measure();
    // Names come translated after the rows; of a long list, rows themselves come and go by scrolling.
    const body = at.tBodies[0];
    if (!body) return;
    const observer = new MutationObserver(measure);
    observer.observe(body, { subtree: true, characterData: true, childList: !at.closest("[data-long]") });
    return () => observer.disconnect();
  }, [table, rows, shown, lead, keep]);
}
