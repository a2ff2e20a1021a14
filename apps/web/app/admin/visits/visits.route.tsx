import { type VisitRow, visitPage, visitSums } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { lazy, Suspense, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { WordField } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useLast } from "../../shared/lists/use-last.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import "./visits.css";

const DayBars = lazy(async () => ({ default: (await import("./day-bars.tsx")).DayBars }));

const spans = ["7", "30", "90"] as const;
const dayMs = 86_400_000;

function Shares({ title, rows }: { title: string; rows: readonly { name: string; visits: number }[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const max = Math.max(1, ...rows.map(({ visits }) => visits));
  return (
    <section className="card shares" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {rows.length === 0 && <p className="calm mut">{t("暂无数据")}</p>}
      <ul>
        {rows.map(({ name, visits }) => (
          <li key={name}>
            <span>{name}</span>
            <b className="num">{number(visits)}</b>
            <i aria-hidden="true" style={{ width: `${(visits / max) * 100}%` }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pages with their visits, as cards on a phone. */
function PageTable({ rows }: { rows: readonly VisitRow[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const keyOf = ({ day, routeName, path }: VisitRow): string => `${day} ${routeName} ${path}`;
  const seconds = ({ dwellMs }: VisitRow): string => t("{count} 秒", { count: number(dwellMs / 1000, 1) });
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">{t("日期")}</th>
              <th scope="col">{t("页面")}</th>
              <th scope="col" className="numeric">
                {t("访问")}
              </th>
              <th scope="col" className="numeric">
                {t("平均停留")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                <td className="num">{row.day}</td>
                <th scope="row">
                  {row.path}
                  <span className="mut">{row.routeName}</span>
                </th>
                <td className="numeric">{number(row.visits)}</td>
                <td className="numeric">{seconds(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {rows.map((row) => (
          <li key={keyOf(row)} className="visit-card">
            <b>{row.path}</b>
            <b className="num">{t("{count} 次访问", { count: number(row.visits) })}</b>
            <span className="mut num">{row.day}</span>
            <span className="mut num">{t("平均停留 {time}", { time: seconds(row) })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How much the pages of the portal are visited: per day, per page, from where, in which language. */
export default function Visits() {
  const t = useTranslate();
  const { number } = useFormats();
  const [search, change] = useListAddress("row");
  const span = known(search.get("days"), spans) ?? "30";
  const keyword = (search.get("word") ?? "").slice(0, 100);
  const { current, size } = readPaging(search);
  const [asTable, setAsTable] = useState(false);
  const to = shanghaiDay(Date.now());
  const from = shanghaiDay(Date.now() - (Number(span) - 1) * dayMs);
  const sums = useLoad(`visit sums ${from} ${to}`, (signal) =>
    call(visitSums, { query: { from, to }, signal, quiet: true }),
  );
  const query = { from, to, current, size, ...(keyword === "" ? {} : { keyword }) };
  const loaded = useLoad(`visits ${JSON.stringify(query)}`, (signal) =>
    call(visitPage, { query, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const days = sums.value?.days ?? [];
  const total = days.reduce((sum, { visits }) => sum + visits, 0);
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("访问统计")}</h1>
        {sums.value && <span className="mut num">{t("{count} 次访问", { count: number(total) })}</span>}
        <span className="spacer" />
        <fieldset className="seg">
          <legend className="visually-hidden">{t("时间范围")}</legend>
          {spans.map((option) => (
            <button key={option} type="button" aria-pressed={option === span} onClick={() => change({ days: option })}>
              {t("{count} 天", { count: option })}
            </button>
          ))}
        </fieldset>
      </div>
      {sums.error && (
        <LoadingProblem error={sums.error} onRetry={sums.reload} what={t("访问统计")} kept={sums.value !== undefined} />
      )}
      <section className="card" aria-labelledby="days-title">
        <header>
          <h2 id="days-title">{t("每日访问")}</h2>
          <span className="spacer" />
          <button
            type="button"
            className="btn icon-only"
            aria-pressed={asTable}
            aria-label={t("看数据表")}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon name="table" small />
          </button>
        </header>
        {!sums.value && !sums.error && (
          <div className="day-bars" role="status">
            <span className="visually-hidden">{t("正在加载")}</span>
          </div>
        )}
        {sums.value && total === 0 && (
          <ExceptionView type="empty" text={t("这段时间没有访问。打开网站的任一页面后，这里会有记录。")} />
        )}
        {total > 0 && !asTable && (
          <Suspense fallback={<div className="day-bars" />}>
            <DayBars days={days} />
          </Suspense>
        )}
        {total > 0 && asTable && (
          <div className="tbl-wrap day-table">
            <table className="tbl">
              <thead>
                <tr>
                  <th scope="col">{t("日期")}</th>
                  <th scope="col" className="numeric">
                    {t("访问")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {days.toReversed().map(({ day, visits }) => (
                  <tr key={day}>
                    <th scope="row" className="num">
                      {day}
                    </th>
                    <td className="numeric">{number(visits)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {sums.value && total > 0 && (
        <div className="share-pair">
          <Shares
            title={t("来源网站")}
            rows={sums.value.referrers.map(({ referrer, visits }) => ({ name: referrer, visits }))}
          />
          <Shares
            title={t("界面语言")}
            rows={sums.value.languages.map(({ language, visits }) => ({
              name: language === "zh" ? t("简体中文") : t("英文"),
              visits,
            }))}
          />
        </div>
      )}
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("页面")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("每页每日")}>
        <search className="filters">
          <WordField label={t("页面路径")} value={keyword} onChange={(word) => change({ word })} />
        </search>
        <div className={loaded.loading && shown && !loaded.value ? "dim" : ""}>
          {!shown && !loaded.error && <WaitingRows />}
          {shown && shown.records.length > 0 && <PageTable rows={shown.records} />}
          {shown && shown.records.length === 0 && (
            <ExceptionView type="empty" title={t("没有符合条件的页面")} text={t("放宽条件再看，或清除全部条件。")} />
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}
