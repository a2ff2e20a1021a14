import type { Import, ImportRow } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { Mark } from "../icons/mark.tsx";
import { Button, IconButton } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { tellIn } from "../language/tell.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import styles from "./import.module.css";
import { callImport, type ImportRows, importKeys, openFile } from "./import-api.ts";
import { letterOf } from "./sheet-places.ts";

type Group = Import["groups"][number];
const pageSize = 50;
interface ProblemSheetProps {
  of: ResourceDeclaration;
  checked: Import;
}

/** One value wherever it stands in a column. */
function SameFix({
  group,
  label,
  onFix,
  onClose,
}: {
  group: Group;
  label: string;
  onFix: (to: string) => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const id = useId();
  const [to, setTo] = useState(group.value);
  return (
    <Dialog
      title={t("{count} 处一起改", { count: group.valueRows })}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button
            kind="primary"
            onPress={() => {
              onFix(to);
              onClose();
            }}
          >
            {t("{count} 处一起改", { count: group.valueRows })}
          </Button>
        </>
      }
    >
      <label htmlFor={id}>{t("{label}的“{value}”改为", { label, value: group.value })}</label>
      <input id={id} className="input" value={to} onChange={(event) => setTo(event.target.value)} />
    </Dialog>
  );
}

const withoutBlanks = (text: string): string => text.replace(/[\s\p{Cf}]/gu, "");
/** What stood in a cell that was understood as another text. */
export const wasText = (t: ReturnType<typeof useTranslate>, before: string, value: string): string =>
  withoutBlanks(before) === withoutBlanks(value) ? t("去掉了空白或看不见的字符") : t("原为“{text}”", { text: before });

interface CellProps {
  row: ImportRow;
  field: string;
  label: string;
  /** Other rows whose cell holds the same. */
  same: number;
  onCorrect: (to: string, everywhere: boolean) => Promise<void>;
}

/** A cell with a problem: it is corrected where it stands. */
function ProblemCell({ row, field, label, same, onCorrect }: CellProps) {
  const t = useTranslate();
  const value = row.cells[field] ?? "";
  const problem = row.problems.find((held) => held.field === field);
  const [text, setText] = useState<string>();
  const left = useRef(false);
  const before = row.changes[field];
  if (!problem)
    return (
      <td>
        {value}
        {before !== undefined && <small className={styles.was}>{wasText(t, before, value)}</small>}
      </td>
    );
  const save = (everywhere: boolean): void => {
    if (text === undefined || left.current) return;
    left.current = true;
    if (text === value) setText(undefined);
    else void onCorrect(text, everywhere).finally(() => setText(undefined));
  };
  const words = tellIn(t, problem);
  return (
    <td className={styles.bad}>
      {text === undefined ? (
        <button
          type="button"
          aria-label={t("第 {row} 行 {label}：{problem}", { row: row.rowNumber, label, problem: words })}
          onClick={() => {
            left.current = false;
            setText(value);
          }}
        >
          {value === "" ? "\u00a0" : value}
        </button>
      ) : (
        <input
          // The button that it replaces had the focus.
          ref={(input) => input?.focus()}
          aria-label={t("第 {row} 行 {label}", { row: row.rowNumber, label })}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => save(false)}
          onKeyDown={(event) => {
            if (event.key === "Enter") save(event.ctrlKey || event.metaKey);
            if (event.key === "Escape") {
              left.current = true;
              setText(undefined);
            }
          }}
        />
      )}
      <small>
        <Mark name="minor" />
        <span>
          {words}
          {text !== undefined && same > 1 && ` ${t("Ctrl+Enter 照此改全部 {count} 行", { count: same })}`}
        </span>
      </small>
    </td>
  );
}

/** Which rows are shown. */
type View = "bad" | "all" | "changed" | "hidden";

/** The part of the sheet that has problems, under its own row numbers, by kind. */
export function ProblemSheet({ of, checked }: ProblemSheetProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const client = useQueryClient();
  const [view, setView] = useState<View>(checked.bad === 0 ? "all" : "bad");
  const [kind, setKind] = useState<Group>();
  const [page, setPage] = useState(1);
  const [fixing, setFixing] = useState<Group>();
  const query = {
    id: checked.id,
    current: page,
    size: pageSize,
    ...(view === "all" ? { all: true } : {}),
    ...(view === "changed" || view === "hidden" ? { only: view } : {}),
    ...(kind ? { field: kind.field, reason: kind.reason } : {}),
  };
  const rows = useQuery<ImportRows, ApiError>({
    queryKey: [...importKeys(of), checked.id, "rows", query],
    queryFn: ({ signal }) => callImport<ImportRows>(of, "rows", { query, signal }),
    placeholderData: keepPreviousData,
  });
  const columns = checked.columns
    .map(({ header, field, column }) => ({ header, field, letter: letterOf(column) }))
    .filter(({ field }) => field !== "");
  const labelOf = (field: string): string =>
    t(of.fields[field]?.label ?? checked.columns.find((held) => held.field === field)?.header ?? field);
  const send = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    try {
      const renewed = await callImport<Import>(of, "correct", { body: { id: checked.id, ...body } });
      client.setQueryData([...importKeys(of), checked.id], renewed);
      await client.invalidateQueries({ queryKey: [...importKeys(of), checked.id, "rows"] });
    } catch (error) {
      const { text, values } = asApiError(error);
      showToast({ kind: "error", text, values });
    }
  };
  const lastSent = useRef(Promise.resolve());
  /** One after the other: of two answers on their way the older one could come last, and show what was corrected as wrong again. */
  const correct = (body: Readonly<Record<string, unknown>>): Promise<void> => {
    lastSent.current = lastSent.current.then(() => send(body));
    return lastSent.current;
  };
  const sameOf = (field: string, value: string): number =>
    checked.groups.find((group) => group.field === field && group.value === value)?.valueRows ?? 1;
  const most = kind ?? checked.groups.toSorted((a, b) => b.valueRows - a.valueRows)[0];
  const show = (next: Group | undefined, rowsOf: View = "bad"): void => {
    setKind(next);
    setView(rowsOf);
    setPage(1);
  };
  const views: readonly (readonly [view: View, words: string, count: number])[] = [
    ["bad", "有问题 {count} 行", checked.bad],
    ["all", "全部 {count} 行", checked.rows],
    ["changed", "改写过 {count} 行", checked.changed],
    ["hidden", "表格里隐藏的 {count} 行", checked.hidden],
  ];
  const problems = checked.groups.reduce((sum, group) => sum + group.rows, 0);
  const shown = rows.data;
  return (
    <div className={styles.sheet}>
      <div className={styles.kinds}>
        <h3>{t("问题")}</h3>
        <ul>
          <li>
            <button type="button" aria-pressed={kind === undefined} onClick={() => show(undefined)}>
              {t("全部问题")}
              <span>{number(problems)}</span>
            </button>
          </li>
          {checked.groups.map((group) => (
            <li key={`${group.field} ${group.reason}`}>
              <button
                type="button"
                aria-pressed={kind?.field === group.field && kind.reason === group.reason}
                onClick={() => show(group)}
              >
                {tellIn(t, group)}
                <span>{number(group.rows)}</span>
              </button>
            </li>
          ))}
        </ul>
        {most && most.valueRows > 1 && (
          <div className={styles.same}>
            <p>{t("“{value}”出现 {count} 次。", { value: most.value, count: number(most.valueRows) })}</p>
            <Button small onPress={() => setFixing(most)}>
              {t("{count} 处一起改", { count: number(most.valueRows) })}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.rows}>
        <div className={styles.tools}>
          <fieldset className="seg" aria-label={t("显示哪些行")}>
            {views
              .filter(([one, , count]) => one === "bad" || one === "all" || count > 0)
              .map(([one, words, count]) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={view === one}
                  onClick={() => show(one === "bad" ? kind : undefined, one)}
                >
                  {t(words, { count: number(count) })}
                </button>
              ))}
          </fieldset>
          <span className="mut">{t("行号与表格里一致。直接在格子里改，Tab 到下一处。")}</span>
          {checked.bad > 0 && (
            <Button
              small
              icon="download"
              onPress={() =>
                void callImport<{ attachId: string }>(of, "marked", { body: { id: checked.id } })
                  .then(({ attachId }) => openFile(attachId))
                  .catch((error: unknown) => {
                    const { text, values } = asApiError(error);
                    showToast({ kind: "error", text, values });
                  })
              }
            >
              {t("下载标注了问题的表格")}
            </Button>
          )}
        </div>
        {rows.error && <LoadingProblem error={rows.error} onRetry={() => void rows.refetch()} what={t("表格的行")} />}
        {!shown && !rows.error && <TableSkeleton rows={6} />}
        {shown && shown.records.length === 0 && <p className={styles.none}>{t("没有问题了，可以导入。")}</p>}
        {shown && shown.records.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <section className={styles.grid} aria-label={t("表格的行，可左右滚动")} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="visually-hidden">{t("行号")}</span>
                  </th>
                  {columns.map(({ letter, field }) => (
                    <th key={letter} scope="col">
                      <i aria-hidden="true">{letter}</i> {labelOf(field)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.records.map((row) => (
                  <tr key={row.rowNumber}>
                    <th scope="row">
                      {row.rowNumber}
                      {row.hidden && <small>{t("隐藏")}</small>}
                      {row.problems
                        .filter(({ field }) => field === "" || !columns.some((column) => column.field === field))
                        .map((problem) => (
                          <small key={problem.reason}>{tellIn(t, problem)}</small>
                        ))}
                    </th>
                    {columns.map(({ field, letter }) => (
                      <ProblemCell
                        key={letter}
                        row={row}
                        field={field}
                        label={labelOf(field)}
                        same={sameOf(field, row.cells[field] ?? "")}
                        onCorrect={(to, everywhere) =>
                          correct(
                            everywhere
                              ? { field, from: row.cells[field] ?? "", to }
                              : { rowNumber: row.rowNumber, field, to },
                          )
                        }
                      />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        {shown && shown.pages > 1 && (
          <nav className={styles.pager} aria-label={t("翻页")}>
            <IconButton icon="left" label={t("上一页")} isDisabled={page <= 1} onPress={() => setPage(page - 1)} />
            <span className="num">
              {number(page)} / {number(shown.pages)}
            </span>
            <IconButton
              icon="right"
              label={t("下一页")}
              isDisabled={page >= shown.pages}
              onPress={() => setPage(page + 1)}
            />
          </nav>
        )}
      </div>
      {fixing && (
        <SameFix
          group={fixing}
          label={labelOf(fixing.field)}
          onFix={(to) => void correct({ field: fixing.field, from: fixing.value, to })}
          onClose={() => setFixing(undefined)}
        />
      )}
    </div>
  );
}
