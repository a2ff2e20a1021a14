import {
  statementCustomers,
  statementDetail,
  statementExport,
  statementKinds,
  statementMonths,
} from "@herdwise/contract";
import { shanghaiMonth } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { wireDateTime } from "../../http/present.ts";
import type { ServerModule } from "../../module.ts";
import {
  columnsIn,
  makeSheetFile,
  type ResourceContext,
  reachedScopeOf,
  scoped,
  type WordedColumn,
} from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition } from "../background-jobs/index.ts";
import { renewalOf } from "./renewal.ts";
import { statementRepository } from "./statement.repository.ts";

const exportKind = "statement.export";
/** The columns of a sheet; to the customer, what the seller calls receivable is payable. @param isOwn the customer reads it */
const columnsFor = (isOwn: boolean): readonly WordedColumn[] => [
  { key: "at", header: { zh: "日期", en: "Date" } },
  { key: "kind", header: { zh: "摘要", en: "Document" } },
  { key: "number", header: { zh: "单号", en: "Number" } },
  { key: "order", header: { zh: "订单", en: "Order" } },
  { key: "debit", header: isOwn ? { zh: "应付（元）", en: "Due (yuan)" } : { zh: "应收（元）", en: "Debit (yuan)" } },
  {
    key: "credit",
    header: isOwn ? { zh: "已付（元）", en: "Paid (yuan)" } : { zh: "已收（元）", en: "Credit (yuan)" },
  },
  { key: "balance", header: { zh: "余额（元）", en: "Balance (yuan)" } },
];
const english: Readonly<Record<keyof typeof statementKinds, string>> = {
  settlement: "Settlement",
  credit_note: "Credit note",
  debit_note: "Debit note",
  prepayment: "Prepayment",
  balance: "Final payment",
  refund: "Refund",
  deposit: "Deposit credited",
  surplus: "Paid online beyond what was due",
};

interface Order {
  month: string;
  tenantId?: string | undefined;
  language?: "zh" | "en" | undefined;
}

/** Statements of a customer and month: lines are the documents; balances are sums by month that are brought up to date before they are read. */
export function statementModule({ platform, jobs, files }: ResourceContext): ServerModule {
  const stored = statementRepository(platform.kysely);
  const sums = renewalOf(platform, "trade.statement-months", statementRepository);
  /** @throws {Refusal} 404 for a customer that the scope does not reach */
  const statement = async (scope: TenantScope, { month, tenantId = scope.tenantId }: Order) => {
    await sums.renewed();
    const found = await stored.statement(scope, { tenantId, month });
    if (found === undefined) throw refuse("process.not_found");
    return { month, ...found, lines: found.lines.map(({ atMs, ...line }) => ({ ...line, at: new Date(atMs) })) };
  };
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", ...order },
    of,
  ) => {
    const { customer, month, openingFen, closingFen, lines } = await statement(reachedScopeOf(reach), order);
    const yuan = (fen: number): number => fen / 100;
    const word = (zh: string, en: string): string => (language === "zh" ? zh : en);
    async function* rows() {
      yield { kind: word("期初余额", "Opening balance"), balance: yuan(openingFen) };
      for (const { at, kind, number, order: of_, debitFen, creditFen, balanceFen } of lines) {
        const named = kind as keyof typeof statementKinds;
        yield {
          at: wireDateTime(at),
          kind: word(statementKinds[named], english[named]),
          number,
          order: of_,
          debit: yuan(debitFen),
          credit: yuan(creditFen),
          balance: yuan(balanceFen),
        };
      }
      // A month that still runs has no closing balance.
      const runs = month >= shanghaiMonth(Date.now());
      yield {
        kind: runs ? word("目前余额", "Balance now") : word("期末余额", "Closing balance"),
        balance: yuan(closingFen),
      };
    }
    const title = `${word("对账单", "Statement")} ${customer.replace(/[\\/:*?"<>|]/g, " ")} ${month}`;
    const columns = columnsIn(language, columnsFor(order.tenantId === undefined));
    return makeSheetFile(files, of, { name: `${title}.xlsx`, columns, rows: rows() });
  };
  return {
    routes(router) {
      router.on(statementDetail, ({ scope, query }) => statement(scoped(scope), query));
      router.on(statementMonths, async ({ scope: given, query }) => {
        const scope = scoped(given);
        await sums.renewed();
        return stored.months(scope, query.tenantId ?? scope.tenantId);
      });
      router.on(statementCustomers, async ({ scope, query }) => {
        await sums.renewed();
        return stored.customers(scoped(scope), query.month);
      });
      router.on(statementExport, async ({ scope: given, body }) => {
        const scope = scoped(given);
        await statement(scope, body);
        return { jobId: await jobs.submit(scope, exportKind, "导出对账单", { ...body, scope: reachOf(scope) }) };
      });
    },
    jobs: [jobs.define({ kind: exportKind, retries: 1, timeoutS: 600, run }), sums.job],
  };
}
