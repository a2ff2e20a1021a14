import { mostReportDays, type SaleFigures, saleReport } from "@herdwise/contract";
import { exactSum, halfEven } from "@herdwise/contract/money";
import { isDay } from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { renewalOf } from "./renewal.ts";
import { type SumsRow, saleReportRepository } from "./report.repository.ts";

const daySeconds = 86_400;
const sums = [
  "plannedHeads",
  "offeredHeads",
  "soldHeads",
  "loadedHeads",
  "orders",
  "cancelledOrders",
  "netGrams",
  "goodsFen",
  "deadGrams",
] as const;

/** The sum of rows with the means that follow from it. */
function figuresOf(rows: readonly SumsRow[]): SaleFigures {
  const added = Object.fromEntries(sums.map((key) => [key, exactSum(rows.map((row) => row[key]))])) as Pick<
    SumsRow,
    (typeof sums)[number]
  >;
  const [marketGrams, completed] = [
    exactSum(rows.map((row) => row.marketGrams)),
    exactSum(rows.map((row) => row.completedOrders)),
  ];
  const market = rows.reduce((sum, { marketFenGrams }) => sum + BigInt(marketFenGrams), 0n);
  const seconds = rows.reduce((sum, { moneySeconds }) => sum + moneySeconds, 0);
  return {
    ...added,
    ...(added.netGrams > 0 && { meanFenPerKg: halfEven(BigInt(added.goodsFen) * 1000n, added.netGrams) }),
    // A mean over a part of the weight would be compared with a price of all of it.
    ...(marketGrams > 0 && marketGrams === added.netGrams && { marketFenPerKg: halfEven(market, marketGrams) }),
    ...(completed > 0 && { daysToMoney: Math.round((seconds / completed / daySeconds) * 10) / 10 }),
  };
}

/** Reports on what was sold; they are sums of sale_days, which are worked out anew before they are read. */
export function saleReportModule({ platform }: TradeContext): ServerModule {
  const look = saleReportRepository(platform.kysely);
  const { renewed, job } = renewalOf(platform, "trade.sale-days", saleReportRepository);
  return {
    routes: (router) =>
      router.on(saleReport, async ({ query }) => {
        const days = (Date.parse(query.to) - Date.parse(query.from)) / (daySeconds * 1000) + 1;
        if (!isDay(query.from) || !isDay(query.to) || days < 1 || days > mostReportDays)
          throw refuse("trade_report.days", { field: "to", values: { most: mostReportDays } });
        await renewed();
        const rows = await look.sums(tradeSystem, query);
        return {
          total: figuresOf(rows),
          rows: rows.map((row) => ({ key: row.key, name: row.name, ...figuresOf([row]) })),
        };
      }),
    jobs: [job],
  };
}
