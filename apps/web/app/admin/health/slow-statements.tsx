import { type HealthStatement, healthStatements, statementOrders } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./health.module.css";

type Order = (typeof statementOrders)[number];
const orderNames: Readonly<Record<Order, string>> = {
  total: "总用时",
  p95: "平时的慢",
  max: "最慢一次",
  faults: "出错",
};

/** Characters of a statement that a row shows before it is opened. */
const shortText = 120;
/** Rows that are shown before somebody asks for the others. */
const rowsShown = 8;

/** A statement's text: its beginning, all of it where somebody asks. */
function StatementText({ text }: { text: string }) {
  const t = useTranslate();
  if (text === "") return <span className="mut">{t("其余语句合计")}</span>;
  if (text.length <= shortText) return <code lang="en">{text}</code>;
  return (
    <details className="fold">
      <summary>
        <code lang="en">{text.slice(0, shortText)}…</code>
      </summary>
      <code lang="en">{text.slice(shortText)}</code>
    </details>
  );
}

function StatementRow({ one }: { one: HealthStatement }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const duration = useDuration();
  const ms = (value: number): string => `${number(value, value < 10 ? 1 : 0)} ms`;
  return (
    <tr>
      <th scope="row" className={styles.statement}>
        <StatementText text={one.text} />
      </th>
      <td className="numeric" data-name={t("总用时")}>
        {one.totalMs < 1000
          ? ms(one.totalMs)
          : one.totalMs < 60_000
            ? `${number(one.totalMs / 1000, 1)} s`
            : duration(one.totalMs)}
        <small>{number(100 * one.share, 1)}%</small>
      </td>
      <td className="numeric" data-name={t("次数")}>
        {number(one.calls)}
        {one.faults > 0 && <small>{t("{count} 次出错", { count: one.faults })}</small>}
      </td>
      <td className="numeric" data-name={t("平均")}>
        {ms(one.meanMs)}
      </td>
      <td className="numeric" data-name={t("95% 不超过")}>
        {ms(one.p95Ms)}
      </td>
      <td className="numeric" data-name={t("最慢一次")}>
        {ms(one.maxMs)}
        <small>{dayTime(one.maxAtMs)}</small>
      </td>
    </tr>
  );
}

/** What the statements of the server that answers cost the database, the dearest first. @param lookedAtMs a new look reads anew */
export function SlowStatements({ lookedAtMs }: { lookedAtMs: number }) {
  const t = useTranslate();
  const { number, dateTime } = useFormats();
  const [order, setOrder] = useState<Order>("total");
  const [all, setAll] = useState(false);
  const { value, error, reload } = useLoad(`health statements ${order} ${lookedAtMs}`, (signal) =>
    call(healthStatements, { query: { order }, signal, quiet: true }),
  );
  const rest = (value?.statements.length ?? 0) - rowsShown;
  return (
    <section className="card" aria-labelledby="statements-title">
      <header className={styles.head}>
        <h2 id="statements-title">{t("数据库语句")}</h2>
        <span className="spacer" />
        <Segments
          label={t("按什么排")}
          values={statementOrders.map((each) => [each, t(orderNames[each])] as const)}
          chosen={order}
          onChoose={setOrder}
        />
      </header>
      {value && (
        <p className={styles.note}>
          {t("这台服务器自 {time} 起发了 {count} 条，语句里没有数值。", {
            time: dateTime(value.sinceMs),
            count: number(value.calls),
          })}
        </p>
      )}
      {error && <LoadingProblem error={error} onRetry={reload} what={t("数据库语句")} kept={value !== undefined} />}
      {!value && !error && <TableSkeleton rows={5} />}
      {value &&
        (value.statements.length === 0 ? (
          <ExceptionView type="empty" title={t("没有这样的语句")} text={t("启动以来没有一条语句出错。")} />
        ) : (
          <ScrollTable label={t("语句")} className={styles.statements} stacked>
            <thead>
              <tr>
                <th>{t("语句")}</th>
                <th className="numeric">{t("总用时")}</th>
                <th className="numeric">{t("次数")}</th>
                <th className="numeric">{t("平均")}</th>
                <th className="numeric">{t("95% 不超过")}</th>
                <th className="numeric">{t("最慢一次")}</th>
              </tr>
            </thead>
            <tbody>
              {(all ? value.statements : value.statements.slice(0, rowsShown)).map((one) => (
                <StatementRow key={one.text} one={one} />
              ))}
            </tbody>
          </ScrollTable>
        ))}
      {rest > 0 && (
        <p className={styles.rest}>
          <Button kind="link" aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? t("收起") : t("还有 {count} 条语句", { count: rest })}
          </Button>
        </p>
      )}
    </section>
  );
}
