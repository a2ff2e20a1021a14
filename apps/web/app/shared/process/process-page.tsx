import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { knownId } from "../lists/list-address.ts";
import { ExceptionView } from "../states/exception-view.tsx";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./process.module.css";

interface ProcessPageProps<Row> {
  /** Begins the keys of everything that an act on the row may change. */
  queryKey: readonly string[];
  load: (id: string, signal: AbortSignal) => Promise<Row>;
  /** Asks again this often, as others act. */
  renewMs?: number;
  /** Title while there is no row; a key of the translations, as are the others. */
  title: string;
  what: string;
  /** What is said to who chose none: a title, and a text. */
  unchosen: readonly [title: string, text: string];
  /** Where rows are chosen. */
  list: string;
  children: (row: Row, reload: () => void) => ReactNode;
}

/** The row whose id the address holds, or why it is not there. */
export function ProcessPage<Row>(props: ProcessPageProps<Row>) {
  const { queryKey, load, renewMs, title, what, unchosen, list, children } = props;
  const t = useTranslate();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useQuery({
    queryKey: [...queryKey, "detail", id],
    queryFn: ({ signal }) => load(id, signal),
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: renewMs ?? false,
  });
  if (loaded.data) return children(loaded.data, () => void client.invalidateQueries({ queryKey }));
  return (
    <>
      <Crumbs />
      {(id === "" || loaded.error) && <h1 className="visually-hidden">{t(title)}</h1>}
      {id === "" ? (
        <ExceptionView type="noSearchData" title={t(unchosen[0])} text={t(unchosen[1])}>
          <Link className="btn primary" to={list}>
            {t("去列表")}
          </Link>
        </ExceptionView>
      ) : loaded.error ? (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t(what)} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}

interface ProcessHeadProps {
  title: ReactNode;
  /** Where it stands, and what it is. */
  meta: ReactNode;
  actions?: ReactNode;
}

/** Above a row: its name, where it stands, and what may be done. */
export function ProcessHead({ title, meta, actions }: ProcessHeadProps) {
  return (
    <div className={styles.head}>
      <div>
        <h1>{title}</h1>
        <p className={styles.meta}>{meta}</p>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Facts of a row; those without a value are left out. */
export function RowFacts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
