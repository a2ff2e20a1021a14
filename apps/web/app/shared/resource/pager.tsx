import { Icon } from "../icons/icon.tsx";
import { Button, IconButton } from "../kit/button.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { countText } from "./count-text.ts";
import { type ListState, listSizes } from "./list-state.ts";
import styles from "./pager.module.css";

/** Page numbers to show: the first, the last, and those around the current one; 0 for a gap. */
export function pageNumbers(current: number, pages: number): number[] {
  const near = [1, current - 1, current, current + 1, pages].filter((page) => page >= 1 && page <= pages);
  const numbers = [...new Set(near)].toSorted((a, b) => a - b);
  return numbers.flatMap((page, index) => {
    const before = numbers[index - 1];
    if (before === undefined || page === before + 1) return [page];
    return page === before + 2 ? [page - 1, page] : [0, page];
  });
}

type Paged = Pick<ListState, "page" | "size">;

interface PagerProps {
  state: Paged;
  change: (changed: Partial<Paged>) => void;
  shown: number;
  /** Number of the page that the shown rows belong to. */
  page: number;
  total: number;
  /** Rows are counted only up to `mostFound`. */
  bounded: boolean;
  /** Number of rows without conditions; undefined where none is set. */
  outOf: number | undefined;
  pages: number;
}

/** Pager of a list: range of shown rows, page size, and buttons to other pages. */
export function Pager({ state, change, shown, page: shownPage, total, bounded, outOf, pages }: PagerProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const all = state.size === "all";
  const first = all ? 1 : (shownPage - 1) * Number(state.size) + 1;
  return (
    <nav className={styles.pager} aria-label={t("翻页")}>
      <span>
        {all
          ? t("已载入 {shown} 条，共 {total} 条", { shown: number(shown), total: countText(total, number, bounded) })
          : t("第 {from} 到 {to} 条，共 {total} 条", {
              from: number(shown === 0 ? 0 : first),
              to: number(shown === 0 ? 0 : first + shown - 1),
              total: countText(total, number, bounded),
            })}
      </span>
      {outOf !== undefined && outOf !== total && (
        <span className={styles.outOf}>{t("筛选自 {total}", { total: number(outOf) })}</span>
      )}
      <span className={styles.space} />
      <label className={styles.size}>
        <span className="visually-hidden">{t("每页")}</span>
        <select value={state.size} onChange={(event) => change({ size: event.target.value as ListState["size"] })}>
          {listSizes.map((size) => (
            <option key={size} value={size}>
              {size === "all" ? t("全部") : t("{count} 条", { count: size })}
            </option>
          ))}
        </select>
        <Icon name="down" small />
      </label>
      {!all && (
        <>
          <IconButton
            small
            icon="left"
            label={t("上一页")}
            isDisabled={state.page <= 1}
            onPress={() => change({ page: state.page - 1 })}
          />
          {pageNumbers(state.page, pages).map((page, index) =>
            page === 0 ? (
              // A gap has no other key.
              <i key={`gap ${index}`} aria-hidden="true">
                ⋯
              </i>
            ) : (
              <span key={page} className={styles.page} data-current={page === state.page || undefined}>
                <Button
                  small
                  aria-label={t("第 {page} 页", { page })}
                  {...(page === state.page ? { "aria-current": "page" as const } : {})}
                  onPress={() => change({ page })}
                >
                  {number(page)}
                </Button>
              </span>
            ),
          )}
          <IconButton
            small
            icon="right"
            label={t("下一页")}
            isDisabled={state.page >= pages}
            onPress={() => change({ page: state.page + 1 })}
          />
        </>
      )}
    </nav>
  );
}
