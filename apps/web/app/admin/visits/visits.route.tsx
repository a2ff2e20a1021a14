import { type VisitPageSum, visitPages, visitSums } from "@herdwise/contract";
import { visitList } from "@herdwise/contract/lists";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { lazy, Suspense, useMemo, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { pageNameOf } from "./page-names.ts";
import "./visits.css";

const DayBars = lazy(async () => ({ default: (await import("./day-bars.tsx")).DayBars }));

const spans = ["7", "30", "90"] as const;
const dayMs = 86_400_000;

interface SharesProps {
  title: string;
  rows: readonly { name: string; visits: number }[];
  /** Said where there are no rows, in the chosen language. */
  none: string;
}

function Shares({ title, rows, none }: SharesProps) {
  const { number } = useFormats();
  const max = Math.max(1, ...rows.map(({ visits }) => visits));
  return (
    <section className="card shares" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {rows.length === 0 && <p className="calm mut">{none}</p>}
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

/** Pages by their names; those that the portal does not have stand together. */
const byName = (pages: readonly VisitPageSum[]) =>
  [...Map.groupBy(pages, ({ path }) => pageNameOf(path) ?? "其他地址")]
    .map(([name, of]) => ({
      name,
      paths: of.map(({ path }) => path),
      visits: of.reduce((sum, { visits }) => sum + visits, 0),
      before: of.reduce((sum, { before }) => sum + before, 0),
    }))
    .toSorted((a, b) => b.visits - a.visits);
const mostNames = 12;

/** Visits by page, with the trend against as many days before. */
function PageShares({ pages, span }: { pages: readonly VisitPageSum[]; span: string }) {
  const t = useTranslate();
  const { number } = useFormats();
  const [whole, setWhole] = useState(false);
  const all = byName(pages);
  const shown = whole ? all : all.slice(0, mostNames);
  const max = Math.max(1, ...all.map(({ visits }) => visits));
  const hasBefore = all.some(({ before }) => before > 0);
  return (
    <section className="card shares pages" aria-labelledby="pages-title">
      <header>
        <h2 id="pages-title">{t("按页面")}</h2>
        <span className="mut">
          {t(hasBefore ? "与之前 {count} 天比" : "再往前 {count} 天没有访问记录", { count: span })}
        </span>
      </header>
      <ul>
        {shown.map(({ name, paths, visits, before }) => (
          <li key={name}>
            <span>
              <span title={paths.length === 1 ? paths[0] : undefined}>{t(name)}</span>
              {paths.length > 1 && (
                <small className="mut"> {t("{count} 个地址", { count: number(paths.length) })}</small>
              )}
            </span>
            {hasBefore && (
              <span className="num mut">
                {before === 0
                  ? t("新")
                  : `${visits < before ? "−" : "+"}${number(Math.abs((visits / before - 1) * 100), 0)} %`}
              </span>
            )}
            <b className="num">{number(visits)}</b>
            <i aria-hidden="true" style={{ width: `${(visits / max) * 100}%` }} />
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <p className="more">
          <button type="button" className="btn" onClick={() => setWhole(true)}>
            {t("全部 {count} 个页面", { count: number(all.length) })}
          </button>
        </p>
      )}
    </section>
  );
}

const cells: Cells = {
  path: function Page({ value }) {
    const t = useTranslate();
    const name = pageNameOf(String(value));
    return name === undefined ? (
      String(value)
    ) : (
      <>
        {t(name)} <span className="mut">{String(value)}</span>
      </>
    );
  },
  dwellMs: function Dwell({ value }) {
    const t = useTranslate();
    const { number } = useFormats();
    return <span className="num">{t("{count} 秒", { count: number(Number(value) / 1000, 1) })}</span>;
  },
};

/** How much the pages of the portal are visited: per day, per page, from where, in which language. */
export default function Visits() {
  const t = useTranslate();
  const { number } = useFormats();
  const [search, change] = useListAddress("row");
  const span = known(search.get("days"), spans) ?? "30";
  const [asTable, setAsTable] = useState(false);
  const to = shanghaiDay(Date.now());
  const from = shanghaiDay(Date.now() - (Number(span) - 1) * dayMs);
  const sums = useLoad(`visit sums ${from} ${to}`, (signal) =>
    call(visitSums, { query: { from, to }, signal, quiet: true }),
  );
  const byPage = useLoad(`visit pages ${from} ${to}`, (signal) =>
    call(visitPages, { query: { from, to }, signal, quiet: true }),
  );
  const pages = useList(useMemo(() => ({ ...visitList, given: { from, to } }), [from, to]));
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
            <button
              key={option}
              type="button"
              aria-pressed={option === span}
              onClick={() => change({ days: option, page: undefined })}
            >
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
        <div className="visit-parts">
          {byPage.value && <PageShares pages={byPage.value} span={span} />}
          <div>
            <Shares
              title={t("来源网站")}
              none={t("都直接打开，或从平台内过来")}
              rows={sums.value.referrers.map(({ referrer, visits }) => ({ name: referrer, visits }))}
            />
            <Shares
              title={t("界面语言")}
              none={t("暂无数据")}
              rows={sums.value.languages.map(({ language, visits }) => ({
                name: language === "zh" ? t("简体中文") : t("英文"),
                visits,
              }))}
            />
          </div>
        </div>
      )}
      {total > 0 && (
        <details className="card fold visit-days">
          <summary>{t("每页每天的访问和停留")}</summary>
          <ListPart list={pages} cells={cells} />
        </details>
      )}
    </>
  );
}
