import { type SaleFigures, type SaleReport, saleCategories, saleReport, saleReportBy } from "@herdwise/contract";
import { exactText, yuanText } from "@herdwise/contract/money";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useAddress, withValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { DayRange } from "../../shared/kit/day-range.tsx";
import { Facts } from "../../shared/kit/facts.tsx";
import { PopoverButton } from "../../shared/kit/popover.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./report.module.css";

const byNames = { field: "场区", region: "大区", category: "类别", month: "月" } as const;
const byTitles = { field: "按场区", region: "按大区", category: "按类别", month: "按月" } as const;
const spans = [30, 90, 365] as const;
const dayMs = 86_400_000;
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Tonnes with one decimal. */
const tonnes = (grams: number): string => exactText(Math.round(grams / 100_000), 1, 1);
const signedYuan = (fen: number): string => `${fen > 0 ? "+" : ""}${yuanText(fen)}`;
/** As it is read; the file keeps what programs take for a number. */
const withMinus = (figure: string): string => figure.replace(/^-/, "−");

interface Column {
  name: string;
  of: (figures: SaleFigures) => string;
}

/** Columns of the table and of the file. */
function useColumns(): Column[] {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  return [
    { name: t("计划头数"), of: ({ plannedHeads }) => number(plannedHeads) },
    { name: t("发布头数"), of: ({ offeredHeads }) => number(offeredHeads) },
    { name: t("卖出头数"), of: ({ soldHeads }) => number(soldHeads) },
    { name: t("装车头数"), of: ({ loadedHeads }) => number(loadedHeads) },
    { name: t("净重 t"), of: ({ netGrams }) => tonnes(netGrams) },
    // English counts in millions where Chinese counts in ten thousands.
    {
      name: t("货款 万元"),
      of: ({ goodsFen }) => exactText(Math.round(goodsFen / (language === "en" ? 1_000_000 : 10_000)), 2, 2),
    },
    { name: t("成交均价"), of: ({ meanFenPerKg }) => (meanFenPerKg === undefined ? "—" : yuanText(meanFenPerKg)) },
    {
      name: t("比行情"),
      of: ({ meanFenPerKg, marketFenPerKg }) =>
        meanFenPerKg === undefined || marketFenPerKg === undefined ? "—" : signedYuan(meanFenPerKg - marketFenPerKg),
    },
    { name: t("取消的订单"), of: ({ cancelledOrders }) => number(cancelledOrders) },
    { name: t("计划到回款 天"), of: ({ daysToMoney }) => (daysToMoney === undefined ? "—" : number(daysToMoney, 1)) },
  ];
}

/** How many of the planned heads came as far as each step. */
function Funnel({ total }: { total: SaleFigures }) {
  const t = useTranslate();
  const { number } = useFormats();
  const steps = [
    [t("计划头数"), total.plannedHeads],
    [t("发布头数"), total.offeredHeads],
    [t("卖出头数"), total.soldHeads],
    [t("装车头数"), total.loadedHeads],
  ] as const;
  const most = Math.max(1, ...steps.map(([, heads]) => heads));
  return (
    <ul className={styles.funnel}>
      {steps.map(([name, heads]) => (
        <li key={name}>
          <span>{name}</span>
          <i aria-hidden="true">
            <b style={{ width: `${(heads / most) * 100}%` }} />
          </i>
          <span className="num">{number(heads)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A tenfold change says that the span before had hardly any sales, not how they went. */
const mostGrowth = 900;
/** How much more or less something is than before, in percent; undefined where there was too little to compare with. */
const growth = (now: number, before: number): number | undefined =>
  before === 0 || (now - before) / before > mostGrowth / 100 ? undefined : ((now - before) / before) * 100;

/** What the headline does not say, each beside the span before. */
function Against({ total, before }: { total: SaleFigures; before: SaleFigures | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const fact = (name: string, of: (figures: SaleFigures) => string) => ({
    name: t(name),
    value: of(total),
    // Where the headline says that there is too little to compare with, nothing is compared.
    note:
      before === undefined || of(before) === "—" || growth(total.soldHeads, before.soldHeads) === undefined
        ? ""
        : t("上一段 {value}", { value: of(before) }),
  });
  return (
    <Facts
      label={t("比上一段")}
      facts={[
        fact("净重 t", ({ netGrams }) => tonnes(netGrams)),
        fact("计划到回款 天", ({ daysToMoney }) => (daysToMoney === undefined ? "—" : number(daysToMoney, 1))),
        fact("取消的订单", ({ cancelledOrders }) => number(cancelledOrders)),
        fact("死亡扣重 kg", ({ deadGrams }) => exactText(deadGrams, 3, 1)),
      ]}
    />
  );
}

/** How the sales stand to those of the span before, which is as long. */
function Change({ total, before }: { total: SaleFigures; before: SaleFigures }) {
  const t = useTranslate();
  const { number } = useFormats();
  const share = growth(total.soldHeads, before.soldHeads);
  if (share === undefined)
    return before.soldHeads === 0
      ? t("上一段没有卖出，不比。")
      : t("上一段只卖出 {heads} 头，太少，不比。", { heads: number(before.soldHeads) });
  return t(share >= 0 ? "比上一段多卖 {share} %。" : "比上一段少卖 {share} %。", { share: number(Math.abs(share), 1) });
}

function Answer({ total, before }: { total: SaleFigures; before: SaleFigures | undefined }) {
  const t = useTranslate();
  const { meanFenPerKg: mean, marketFenPerKg: market } = total;
  return (
    <section className={`card ${styles.answer}`}>
      <div>
        <h2>
          {t("卖出 {heads} 头，结算 {yuan} 元", {
            heads: total.soldHeads.toLocaleString("en-US"),
            yuan: yuanText(total.goodsFen),
          })}
        </h2>
        <p>
          {mean === undefined
            ? t("这段时间还没有结算的订单。")
            : market === undefined
              ? t("均价 {mean} 元/kg；有的装车日没有行情价，不比。", { mean: yuanText(mean) })
              : mean >= market
                ? t("均价 {mean} 元/kg，比装车日行情高 {apart}。", {
                    mean: yuanText(mean),
                    apart: yuanText(mean - market),
                  })
                : t("均价 {mean} 元/kg，比装车日行情低 {apart}。", {
                    mean: yuanText(mean),
                    apart: yuanText(market - mean),
                  })}{" "}
          {before && <Change total={total} before={before} />}
        </p>
      </div>
      <Funnel total={total} />
    </section>
  );
}

function Rows({ report, by }: { report: SaleReport; by: (typeof saleReportBy)[number] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const columns = useColumns();
  const title = (row: SaleReport["rows"][number]): string =>
    by === "category"
      ? t(saleCategories.find(([key]) => key === row.key)?.[1] ?? row.key)
      : row.name === ""
        ? t("没有大区")
        : nameOf(row.name);
  const save = (): void =>
    downloadCsv(t("销售报表"), [
      [t(byNames[by]), ...columns.map(({ name }) => name)],
      ...report.rows.map((row) => [title(row), ...columns.map(({ of }) => of(row))]),
      [t("合计"), ...columns.map(({ of }) => of(report.total))],
    ]);
  return (
    <section className="card">
      <header>
        <h2>{t(byTitles[by])}</h2>
        <span className="spacer" />
        <Button small icon="download" onPress={save}>
          {t("导出 CSV")}
        </Button>
        <Button small icon="sheet" onPress={() => window.print()}>
          {t("打印")}
        </Button>
      </header>
      <ScrollTable label={t("销售报表")} className={styles.rows} stacked>
        <thead>
          <tr>
            <th scope="col">{t(byNames[by])}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="numeric">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{title(row)}</th>
              {columns.map(({ name, of }) => (
                <td key={name} data-name={name} className="numeric">
                  {withMinus(of(row))}
                </td>
              ))}
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row">{t("合计")}</th>
            {columns.map(({ name, of }) => (
              <td key={name} data-name={name} className="numeric">
                {withMinus(of(report.total))}
              </td>
            ))}
          </tr>
        </tbody>
      </ScrollTable>
    </section>
  );
}

/** What was sold: by field, region, category or month of the loading days. */
export default function SaleReportPage() {
  const t = useTranslate();
  const [search, write] = useAddress();
  const today = shanghaiDay(Date.now());
  const dayBefore = (days: number): string => shanghaiDay(Date.parse(today) - days * dayMs);
  const by = saleReportBy.find((one) => one === search.get("by")) ?? "field";
  const from = isDay(search.get("from")) ? (search.get("from") ?? "") : dayBefore(89);
  const to = isDay(search.get("to")) ? (search.get("to") ?? "") : today;
  const change = (values: Record<string, string>): void =>
    write((now) => withValues(now, values), { replace: true, preventScrollReset: true });
  const { value, error, reload } = useLoad(`sale report ${by} ${from} ${to}`, (signal) =>
    call(saleReport, { query: { by, from, to }, signal, quiet: true }),
  );
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const shifted = (day: string): string => shanghaiDay(Date.parse(day) - days * dayMs);
  const [earlier, until] = [shifted(from), shifted(to)];
  const { value: past } = useLoad(`sale report ${by} ${earlier} ${until}`, (signal) =>
    call(saleReport, { query: { by, from: earlier, to: until }, signal, quiet: true }),
  );
  return (
    <div className={styles.page}>
      <Crumbs />
      <div className="page-head">
        <h1>{t("销售报表")}</h1>
      </div>
      <section className={`card ${styles.controls}`} aria-label={t("看什么")}>
        <Segments
          label={t("按什么分")}
          values={saleReportBy.map((one) => [one, t(byTitles[one])] as const)}
          chosen={by}
          onChoose={(one) => change({ by: one })}
        />
        <Segments
          label={t("装车日")}
          values={spans.map((days) => [days, t("近 {count} 天", { count: days })] as const)}
          chosen={to === today ? spans.find((days) => from === dayBefore(days - 1)) : undefined}
          onChoose={(days) => change({ from: dayBefore(days - 1), to: today })}
        />
        <PopoverButton
          button={<Button icon="calendar">{t("{from} 至 {to}", { from, to })}</Button>}
          label={t("装车日")}
        >
          {(close) => (
            <DayRange
              from={from}
              to={to}
              onChange={(begin, end) => {
                change({ from: begin, to: end });
                close();
              }}
            />
          )}
        </PopoverButton>
      </section>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("销售报表")} kept={value !== undefined} />}
      {!value && !error && <TableSkeleton rows={8} />}
      {value &&
        (value.rows.length === 0 ? (
          <section className="card">
            <ExceptionView type="empty" title={t("这段时间没有销售计划")} text={t("换一段装车日再看。")} />
          </section>
        ) : (
          <>
            <Answer total={value.total} before={past?.total} />
            <Against total={value.total} before={past?.total} />
            <Rows report={value} by={by} />
          </>
        ))}
    </div>
  );
}
