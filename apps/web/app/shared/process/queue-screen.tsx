import type { Page } from "@herdwise/contract";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ChangeAddress } from "../address/use-address.ts";
import { asApiError } from "../api/api-error.ts";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { WordField } from "../lists/filters.tsx";
import { readPaging, useListAddress } from "../lists/list-address.ts";
import { PageOf } from "../resource/pager.tsx";
import { ExceptionView } from "../states/exception-view.tsx";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./process.module.css";

type Rows = Pick<Page<unknown>, "records" | "total" | "size" | "current" | "pages">;
type Optional<Values> = { [Name in keyof Values]: undefined extends Values[Name] ? Name : never }[keyof Values];
/** Values of the address, those that it does not have left out. */
type Given<Values> = Omit<Values, Optional<Values>> & {
  [Name in Optional<Values>]?: Exclude<Values[Name], undefined>;
};

interface Queue<Values, Answer> {
  change: ChangeAddress;
  values: Values;
  loaded: UseQueryResult<Answer>;
}

/** The page of a queue that the address asks for, asked again every `renewMs` as others work on it. */
export function useQueue<Values extends object, Answer extends Rows>(of: {
  key: readonly unknown[];
  read: (search: URLSearchParams) => Values;
  load: (query: Given<Values> & ReturnType<typeof readPaging>, signal: AbortSignal) => Promise<Answer>;
  renewMs?: number;
}): Queue<Values, Answer> {
  const [search, change] = useListAddress("row");
  const values = of.read(search);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const query = { ...readPaging(search), ...(given as Given<Values>) };
  const loaded = useQuery({
    queryKey: [...of.key, "page", query],
    queryFn: ({ signal }) => of.load(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: of.renewMs ?? false,
  });
  return { change, values, loaded };
}

interface QueueChips<Name extends string> {
  /** Parameter of the address. */
  parameter: string;
  label: string;
  words: Readonly<Partial<Record<Name, string>>>;
  /** Undefined stands for all, which then has a chip of its own. */
  chosen: Name | undefined;
  /** Whether `all` is offered. */
  all?: boolean;
  counts?: Readonly<Partial<Record<Name, number | undefined>>> | undefined;
}

function Chips<Name extends string>({ of, change }: { of: QueueChips<Name>; change: ChangeAddress }) {
  const t = useTranslate();
  const chip = (name: Name | undefined, words: string, count?: number) => (
    <button
      key={words}
      type="button"
      className="chip"
      aria-pressed={name === of.chosen}
      onClick={() => change({ [of.parameter]: name === of.chosen && of.all ? undefined : name })}
    >
      {t(words)}
      {count !== undefined && <em>{count}</em>}
    </button>
  );
  return (
    <>
      {of.all && chip(undefined, "全部")}
      {(Object.keys(of.words) as Name[]).map((name) => chip(name, of.words[name] ?? "", of.counts?.[name]))}
    </>
  );
}

interface QueueScreenProps<Values extends object, Answer extends Rows, Name extends string> {
  queue: Queue<Values, Answer>;
  /** In the chosen language, as are all texts here but the words of the chips. */
  title: string;
  /** What its rows are; the title, where it is left out. */
  what?: string;
  /** Beside the title. */
  head?: ReactNode;
  /** Figures above the list. */
  facts?: ReactNode;
  chips?: QueueChips<Name>;
  /** More chips, in the row of the others. */
  moreChips?: ReactNode;
  filters?: ReactNode;
  /** Label of the search field. */
  word?: string;
  /** Title and text of a queue without rows. */
  empty?: readonly [title: string, text: string];
  /** What to do where there are no rows yet. */
  start?: ReactNode;
  aside?: ReactNode;
  children: (rows: Answer["records"], answer: Answer) => ReactNode;
}

/** A queue of a process: figures, what it may be narrowed by, its rows, and what is said where there are none. */
export function QueueScreen<Values extends object, Answer extends Rows, Name extends string>(
  props: QueueScreenProps<Values, Answer, Name>,
) {
  const { queue, title, what = title, head, facts, chips, moreChips, filters, word, start, aside, children } = props;
  const t = useTranslate();
  const { change, loaded } = queue;
  const { keyword } = queue.values as { keyword?: string };
  const page = loaded.data;
  const narrowed = Object.entries(queue.values).some(
    ([name, value]) => value !== undefined && (name !== chips?.parameter || chips.all),
  );
  const [emptyTitle, emptyText] = narrowed
    ? [t("没有符合条件的"), t("放宽条件再看，或清除全部条件。")]
    : (props.empty ?? [t("这个队列空了"), t("新的来了会自己出现。")]);
  const list = (
    <section className={`card ${styles.list}`} aria-label={what}>
      {(chips || filters || word !== undefined) && (
        <search className="filters">
          {chips && (
            <fieldset className={styles.queues} aria-label={chips.label}>
              <Chips of={chips} change={change} />
              {moreChips}
            </fieldset>
          )}
          {filters}
          {word !== undefined && <WordField label={word} value={keyword ?? ""} onChange={(q) => change({ q })} />}
        </search>
      )}
      {!page && !loaded.error && <TableSkeleton rows={6} />}
      {page && page.records.length > 0 && children(page.records, page)}
      {page && page.records.length === 0 && (
        <ExceptionView type="empty" title={emptyTitle} text={emptyText}>
          {!narrowed && start}
        </ExceptionView>
      )}
      {page && page.total > 0 && <PageOf page={page} change={change} bounded={keyword !== undefined} />}
    </section>
  );
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{title}</h1>
        {head}
      </div>
      {facts}
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={what}
          kept={page !== undefined}
        />
      )}
      {aside ? (
        <div className={styles.queue}>
          {list}
          {aside}
        </div>
      ) : (
        list
      )}
    </>
  );
}
