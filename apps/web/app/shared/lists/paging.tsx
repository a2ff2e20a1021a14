import type { ChangeAddress } from "../address/use-address.ts";
import { Icon } from "../icons/icon.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { countText } from "../resource/count-text.ts";
import { pageSizes } from "./list-address.ts";

interface PagingProps {
  page: { current: number; size: number; pages: number; total: number; records: readonly unknown[] };
  change: ChangeAddress;
  /** Says which rows are shown: from, to and total, in the chosen language. */
  words: (range: { from: string; to: string; total: string }) => string;
  /** Rows that the conditions find are counted up to `mostFound`. */
  bounded?: boolean;
}

/** Under a list: which rows it shows, how many at once, and the way to the others. */
export function Paging({ page, change, words, bounded = false }: PagingProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const first = (page.current - 1) * page.size + 1;
  return (
    <nav className="paging" aria-label={t("翻页")}>
      <span className="num">
        {words({
          from: number(first),
          to: number(first + page.records.length - 1),
          total: countText(page.total, number, bounded),
        })}
      </span>
      <span className="spacer" />
      <label>
        {t("每页")}
        <select className="chip" value={page.size} onChange={(event) => change({ size: event.target.value })}>
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn icon-only"
        aria-label={t("上一页")}
        disabled={page.current <= 1}
        onClick={() => change({ current: String(page.current - 1) })}
      >
        <Icon name="left" small />
      </button>
      <span className="num">
        {number(page.current)} / {number(Math.max(1, page.pages))}
      </span>
      <button
        type="button"
        className="btn icon-only"
        aria-label={t("下一页")}
        disabled={page.current >= page.pages}
        onClick={() => change({ current: String(page.current + 1) })}
      >
        <Icon name="right" small />
      </button>
    </nav>
  );
}
