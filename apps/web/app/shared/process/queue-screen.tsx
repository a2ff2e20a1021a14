import type { Page } from "@herdwise/contract";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ChangeAddress } from "../address/use-address.ts";
import { asApiError } from "../api/api-error.ts";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
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
  words: Readonly<Record<Name, string>>;
  chosen: Name;
}

interface QueueScreenProps<Values extends object, Answer extends Rows, Name extends string> {
  queue: Queue<Values, Answer>;
  /** In the chosen language, as are all texts here but the words of the chips. */
  title: string;
  /** What its rows are. */
  what: string;
  /** Figures above the list. */
  facts: ReactNode;
  chips: QueueChips<Name>;
  children: (rows: Answer["records"]) => ReactNode;
}

/** A queue of a process: figures, its rows, and what is said where there are none. */
export function QueueScreen<Values extends object, Answer extends Rows, Name extends string>(
  props: QueueScreenProps<Values, Answer, Name>,
) {
  const { queue, title, what, facts, chips, children } = props;
  const t = useTranslate();
  const { change, loaded } = queue;
  const page = loaded.data;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{title}</h1>
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
      <section className={`card ${styles.list}`} aria-label={what}>
        <search className="filters">
          <fieldset className={styles.queues} aria-label={chips.label}>
            {(Object.keys(chips.words) as Name[]).map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={name === chips.chosen}
                onClick={() => change({ [chips.parameter]: name })}
              >
                {t(chips.words[name])}
              </button>
            ))}
          </fieldset>
        </search>
        {!page && !loaded.error && <TableSkeleton rows={6} />}
        {page && page.records.length > 0 && children(page.records)}
        {page && page.records.length === 0 && (
          <ExceptionView type="empty" title={t("这个队列空了")} text={t("新的来了会自己出现。")} />
        )}
        {page && page.total > 0 && <PageOf page={page} change={change} />}
      </section>
    </>
  );
}
