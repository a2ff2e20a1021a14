import {
  type CancellationQueue,
  cancellationDeskPage,
  cancellationQueues,
  type DeskCancellation,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { cancellationWords, reasonWords } from "../../shared/cancellation/words.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./cancellations.module.css";
import { CancellationPage } from "./detail.tsx";

const queueWords: Readonly<Record<CancellationQueue, string>> = {
  waiting: "等答复",
  cooling: "冷静期",
  accepted: "等清除",
  done: "办完的",
};
/** Others answer, and time goes on: the queues follow, ms. */
const renewMs = 15_000;

function Row({ row }: { row: DeskCancellation }) {
  const t = useTranslate();
  const { dayTime, age } = useFormats();
  const { mark, tone, word } = cancellationWords[row.state];
  const due = parseWireDateTime(row.dueTime) ?? 0;
  const late = row.state === "waiting" && due < Date.now();
  const time = (text: string) => dayTime(parseWireDateTime(text));
  const next = {
    cooling: t("冷静期到 {time}", { time: time(row.coolUntil) }),
    waiting: late ? t("超时 {age}", { age: age(Date.now() - due) }) : t("{time} 前答复", { time: time(row.dueTime) }),
    accepted: t("{time} 清除", { time: time(row.eraseTime) }),
    refused: time(row.decideTime),
    taken_back: "",
    erased: "",
  }[row.state];
  return (
    <li>
      <Link to={`/customer/cancellation/detail?id=${row.id}`}>
        <span className={styles.name}>
          <b>
            {row.kind === "tenant" ? <Translated text={row.title} /> : row.title}
            <span className="tag">{t(row.kind === "tenant" ? "企业" : "账号")}</span>
          </b>
          <small>
            {row.kind === "account" && (
              <>
                <Translated text={row.customer} /> ·{" "}
              </>
            )}
            {row.reason === "" ? t("没写原因") : t(reasonWords[row.reason as keyof typeof reasonWords] ?? row.reason)} ·{" "}
            <span className="num">{t("{time} 提出", { time: time(row.askTime) })}</span>
          </small>
        </span>
        <span className={`state ${tone}`}>
          <Mark name={mark} />
          {t(word)}
        </span>
        <span className={late ? "state critical" : "mut num"}>
          {late && <Mark name="critical" />}
          {next}
        </span>
      </Link>
    </li>
  );
}

/** Who wants to go, by what comes next; what is due first at the top. */
function Queues() {
  const t = useTranslate();
  const { number } = useFormats();
  const [search, change] = useListAddress("row");
  const queue = known(search.get("queue"), cancellationQueues) ?? "waiting";
  const { current, size } = readPaging(search);
  const loaded = useQuery({
    queryKey: ["cancellations", "page", queue, current, size],
    queryFn: ({ signal }) => call(cancellationDeskPage, { query: { queue, current, size }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
  const page = loaded.data;
  const counts = page?.counts;
  const late = counts?.overdue ?? 0;
  const shown = (count: number | undefined): string => (count === undefined ? "--" : number(count));
  const facts: readonly Fact[] = [
    {
      name: t("等答复"),
      value: shown(counts?.waiting),
      note: late > 0 ? t("{count} 件超时", { count: late }) : t("都在时限内"),
      bad: late > 0,
    },
    { name: t("冷静期"), value: shown(counts?.cooling), note: t("7 天，客户随时能取回") },
    { name: t("等清除"), value: shown(counts?.accepted), note: t("同意后 24 小时，仍能取回") },
    { name: t("已清除"), value: shown(counts?.erased), note: t("近 30 天") },
  ];
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("注销答复")}</h1>
      </div>
      <Facts label={t("注销的数目")} facts={facts} />
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("注销")}
          kept={page !== undefined}
        />
      )}
      <section className="card" aria-label={t("注销")}>
        <div className={styles.tabs}>
          <fieldset className="seg" aria-label={t("队列")}>
            {cancellationQueues.map((name) => (
              <button key={name} type="button" aria-pressed={name === queue} onClick={() => change({ queue: name })}>
                {t(queueWords[name])}
              </button>
            ))}
          </fieldset>
        </div>
        {!page && !loaded.error && <TableSkeleton rows={5} />}
        {page && page.records.length > 0 && (
          <ul className={styles.rows}>
            {page.records.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
        )}
        {page && page.records.length === 0 && (
          <ExceptionView type="empty" title={t("这个队列空了")} text={t("新的来了会自己出现。")} />
        )}
        {page && page.total > 0 && (
          <Paging page={page} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}

/** The desk of closings: its queues, and below them one of it. One file, for what its parts share. */
export default function CancellationDesk() {
  const { pathname } = useLocation();
  return pathname.endsWith("/detail") ? <CancellationPage /> : <Queues />;
}
