import {
  deposits,
  notes,
  orders,
  payAttempts,
  payments,
  type Statement,
  settlements,
  statementCustomers,
  statementDetail,
  statementExport,
  statementKinds,
  statementMonths,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { shanghaiDay, shanghaiMonth } from "@herdwise/contract/shanghai";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { Paper, PaperBar, paperStyles } from "../../shared/kit/paper.tsx";
import { ScrollRegion, ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./statement.module.css";

/** Months that can be chosen, the newest first. */
const monthsBack = 24;

function monthsUntil(now: string): string[] {
  const [year = 0, month = 0] = now.split("-").map(Number);
  return Array.from({ length: monthsBack }, (_, back) => {
    const at = year * 12 + month - 1 - back;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
  });
}

/** Last day of a month. @param month yyyy-MM */
function lastDayOf(month: string): string {
  const [year = 0, of = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, of, 0)).toISOString().slice(0, 10);
}

/** A month that still runs has no closing balance. */
const isRunning = (month: string): boolean => month >= shanghaiMonth(Date.now());

/** An amount that somebody owes; zero is said as such. */
function Owed({ fen }: { fen: number }) {
  const t = useTranslate();
  return (
    <span className={styles.balance}>
      <span className="num">{yuanText(Math.abs(fen))}</span>
      <small>{t(fen > 0 ? "客户欠" : fen < 0 ? "预付" : "没有欠款")}</small>
    </span>
  );
}

const sumNames = { openingFen: "期初余额", debitFen: "应收", creditFen: "已收", closingFen: "期末余额" } as const;
const sums = ["openingFen", "debitFen", "creditFen", "closingFen"] as const;

/** Customers with what they owed before and owe now, each leading to its statement. */
function Customers({ month }: { month: string }) {
  const t = useTranslate();
  const nameOf = useNames();
  const names = isRunning(month) ? { ...sumNames, closingFen: "目前余额" } : sumNames;
  const { value, error, reload } = useLoad(`statements of ${month}`, (signal) =>
    call(statementCustomers, { query: { month }, signal, quiet: true }),
  );
  if (error) return <LoadingProblem error={error} onRetry={reload} what={t("客户对账单")} kept={value !== undefined} />;
  if (!value) return <TableSkeleton rows={6} />;
  if (value.length === 0) return <ExceptionView type="empty" text={t("这个月没有客户有往来或者余额。")} />;
  const save = (): void =>
    downloadCsv(`${t("客户对账单")} ${month}`, [
      [t("客户"), ...sums.map((name) => t(names[name]))],
      ...value.map((row) => [nameOf(row.customer), ...sums.map((name) => yuanText(row[name]))]),
    ]);
  return (
    <section className="card">
      <header>
        <h2>{t("{count} 个客户", { count: value.length })}</h2>
        <span className="spacer" />
        <Button small icon="download" onPress={save}>
          {t("导出 CSV")}
        </Button>
        <Button small icon="sheet" onPress={() => window.print()}>
          {t("打印")}
        </Button>
      </header>
      <ScrollTable label={t("客户对账单")} className={styles.customers} stacked>
        <thead>
          <tr>
            <th scope="col">{t("客户")}</th>
            {sums.map((name) => (
              <th key={name} scope="col" className={styles.figure}>
                {t(names[name])}
              </th>
            ))}
            <th scope="col">{t("余额是哪些订单的")}</th>
          </tr>
        </thead>
        <tbody>
          {value.map(({ tenantId, customer, openingFen, debitFen, creditFen, closingFen, orders: owed }) => (
            <tr key={tenantId}>
              <th scope="row">
                <Link className="link" to={`?month=${month}&customer=${tenantId}`}>
                  <Translated text={customer} />
                </Link>
              </th>
              <td className={styles.figure} data-name={t("期初余额")}>
                <Owed fen={openingFen} />
              </td>
              <td className={styles.figure} data-name={t("应收")}>
                {yuanText(debitFen)}
              </td>
              <td className={styles.figure} data-name={t("已收")}>
                {yuanText(creditFen)}
              </td>
              <td className={styles.figure} data-name={t(names.closingFen)}>
                <Owed fen={closingFen} />
              </td>
              <td data-name={t("余额是哪些订单的")}>
                <span className={styles.orders}>
                  {owed.map(({ number, owedFen }) => (
                    <span key={number}>
                      <Link className="link num" to={`${orders.menu.path}?q=${number}`}>
                        {number}
                      </Link>
                      <Owed fen={owedFen} />
                    </span>
                  ))}
                  {owed.length === 0 && <span className="mut">--</span>}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
        {value.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">{t("合计")}</th>
              {sums.map((name) => {
                const fen = value.reduce((sum, row) => sum + row[name], 0);
                return (
                  <td key={name} className={styles.figure} data-name={t(names[name])}>
                    {name === "openingFen" || name === "closingFen" ? <Owed fen={fen} /> : yuanText(fen)}
                  </td>
                );
              })}
              <td />
            </tr>
          </tfoot>
        )}
      </ScrollTable>
    </section>
  );
}

/** Lists that documents stand in, by kind of line. */
const listsOfKinds: Readonly<Record<string, ResourceDeclaration>> = {
  settlement: settlements,
  credit_note: notes,
  debit_note: notes,
  prepayment: payments,
  balance: payments,
  refund: payments,
  deposit: deposits,
  surplus: payAttempts,
};

/** A document's number, which leads to it for whoever may see its list. */
function DocumentLink({ of, number }: { of: ResourceDeclaration | undefined; number: string }) {
  const { user, permissions } = useAccess();
  const path = (user.tenant_type === "group" ? of?.menu : of?.customerMenu)?.path;
  if (of === undefined || path === undefined || !permissions.has(permissionOf(of, "view"))) return number;
  return (
    <Link className="link" to={`${path}?q=${number}`}>
      {number}
    </Link>
  );
}

/** The documents of a month, from the opening to the closing balance. */
function Sheet({ statement }: { statement: Statement }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dateTime } = useFormats();
  // What the seller calls receivable is payable to the buyer.
  const [debit, credit] = useAccess().user.tenant_type === "group" ? ["应收", "已收"] : ["应付", "已付"];
  const { customer, month, openingFen, debitFen, creditFen, closingFen, lines } = statement;
  const today = shanghaiDay(Date.now());
  const runs = isRunning(month);
  const closing = runs ? "目前余额" : sumNames.closingFen;
  const money = (fen: number): string => (fen === 0 ? "" : yuanText(fen));
  return (
    <Paper
      title={
        <>
          <span className={styles.word}>{t("对账单")} </span>
          {t("{from} 至 {to}", { from: `${month}-01`, to: runs ? today : lastDayOf(month) })}
        </>
      }
      about={nameOf(customer)}
      facts={[
        { name: t("生成"), value: dateTime(Date.now()) },
        { name: t("单据"), value: String(lines.length) },
      ]}
      signs={[t("客户签章"), t("财务"), t("日期")]}
    >
      <dl className={paperStyles.sums}>
        {(
          [
            ["期初余额", openingFen],
            [debit, debitFen],
            [credit, creditFen],
            [closing, closingFen],
          ] as const
        ).map(([name, fen]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            {name.endsWith("余额") ? (
              <dd className={styles.owed}>
                <Owed fen={fen} />
              </dd>
            ) : (
              <dd>{yuanText(fen)}</dd>
            )}
          </div>
        ))}
      </dl>
      {lines.length === 0 ? (
        <p className={paperStyles.note}>{t("这个月没有往来单据。")}</p>
      ) : (
        <ScrollRegion label={t("往来单据")} className={paperStyles.scroll}>
          <table className={styles.lines}>
            <thead>
              <tr>
                <th scope="col">{t("日期")}</th>
                <th scope="col">{t("摘要")}</th>
                <th scope="col">{t("单号")}</th>
                {[debit, credit, "余额"].map((name) => (
                  <th key={name} scope="col" className="numeric">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <td />
                <td>{t("期初余额")}</td>
                <td />
                <td />
                <td />
                <td className={`numeric ${styles.owed}`} data-name={t("余额")}>
                  <Owed fen={openingFen} />
                </td>
              </tr>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>{shanghaiDay(parseWireDateTime(line.at) ?? 0)}</td>
                  <td>{t(statementKinds[line.kind as keyof typeof statementKinds] ?? line.kind)}</td>
                  <td className={styles.numbers}>
                    <DocumentLink of={listsOfKinds[line.kind]} number={line.number} />
                    {line.order !== "" && (
                      <small>
                        <DocumentLink of={orders} number={line.order} />
                      </small>
                    )}
                  </td>
                  <td className="numeric" data-name={t(debit)}>
                    {money(line.debitFen)}
                  </td>
                  <td className="numeric" data-name={t(credit)}>
                    {money(line.creditFen)}
                  </td>
                  <td className={`numeric ${styles.owed}`} data-name={t("余额")}>
                    <Owed fen={line.balanceFen} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td />
                <th scope="row">{t(runs ? "合计与目前余额" : "合计与期末余额")}</th>
                <td />
                <td className="numeric" data-name={t(debit)}>
                  {yuanText(debitFen)}
                </td>
                <td className="numeric" data-name={t(credit)}>
                  {yuanText(creditFen)}
                </td>
                <td className={`numeric ${styles.owed}`} data-name={t("余额")}>
                  <Owed fen={closingFen} />
                </td>
              </tr>
            </tfoot>
          </table>
        </ScrollRegion>
      )}
      <p className={paperStyles.note}>{t("金额单位是元。预付的钱结算后抵货款。押着的竞价保证金抵了货款才算在内。")}</p>
    </Paper>
  );
}

/** Statements of a customer and month, to read, print and keep as a sheet: the group chooses the customer, a customer has the own one. */
export default function StatementScreen() {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const { user } = useAccess();
  const ofGroup = user.tenant_type === "group";
  const [search, change] = useAddressValues();
  const months = monthsUntil(shanghaiMonth(Date.now()));
  const asked = search.get("month") ?? "";
  const customer = ofGroup ? (search.get("customer") ?? "").slice(0, 12) : "";
  const own = customer === "" ? {} : { tenantId: customer };
  const chosen = !ofGroup || customer !== "";
  const isAsked = /^20\d{2}-(0[1-9]|1[0-2])$/.test(asked);
  // Whoever names no month begins with the newest one that has documents.
  const held = useLoad(chosen && !isAsked ? `statement months ${customer}` : undefined, (signal) =>
    call(statementMonths, { query: own, signal, quiet: true }),
  );
  const isReady = isAsked || !chosen || held.value !== undefined || held.error !== undefined;
  const month = isAsked ? asked : ((chosen ? held.value?.[0] : undefined) ?? months[0] ?? "");
  const which = { month, ...own };
  const { value, error, reload } = useLoad(chosen && isReady ? `statement ${month} ${customer}` : undefined, (signal) =>
    call(statementDetail, { query: which, signal, quiet: true }),
  );
  const shown = chosen && value?.month === month && (!ofGroup || value.tenantId === customer) ? value : undefined;
  const makeSheet = async (): Promise<void> => {
    try {
      await call(statementExport, { body: { ...which, language }, quiet: true });
      tellJobBegun();
      showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
    } catch (reason) {
      showToast({ kind: "error", text: tellIn(t, asApiError(reason)) });
    }
  };
  // A list of several customers leads here: the page is of this one.
  const of = ofGroup && shown ? nameOf(shown.customer) : undefined;
  const place = months.indexOf(month);
  const go = (to: string | undefined) => () => to !== undefined && change({ month: to });
  const monthChoice = (
    <span className={styles.month}>
      <IconButton
        icon="left"
        label={t("上个月")}
        isDisabled={months[place + 1] === undefined}
        onPress={go(months[place + 1])}
      />
      <Select
        aria-label={t("月份")}
        value={month}
        options={[...new Set([month, ...months])]
          .toSorted()
          .toReversed()
          .map((one) => [one, one] as const)}
        onChange={(one) => change({ month: one })}
      />
      <IconButton icon="right" label={t("下个月")} isDisabled={place < 1} onPress={go(months[place - 1])} />
    </span>
  );
  return (
    <>
      <Crumbs
        {...(of !== undefined && {
          more: [{ name: t("客户对账单"), to: `?month=${month}` }, { name: of }],
        })}
      />
      <div className="page-head">
        <h1>{of === undefined ? t(ofGroup ? "客户对账单" : "对账单") : t("{customer}的对账单", { customer: of })}</h1>
        {!chosen && monthChoice}
        {chosen && (
          <PaperBar disabled={!shown}>
            {ofGroup && (
              <button type="button" className={`btn ${styles.all}`} onClick={() => change({ customer: undefined })}>
                <Icon name="left" small />
                {t("全部客户")}
              </button>
            )}
            {monthChoice}
            <button type="button" className="btn" disabled={!shown} onClick={() => void makeSheet()}>
              <Icon name="download" small />
              {t("导出")}
            </button>
          </PaperBar>
        )}
      </div>
      {!chosen && <Customers month={month} />}
      {chosen && error && (
        <LoadingProblem error={error} onRetry={reload} what={t("对账单")} kept={shown !== undefined} />
      )}
      {chosen && !shown && !error && <TableSkeleton rows={10} />}
      {shown && <Sheet statement={shown} />}
    </>
  );
}
