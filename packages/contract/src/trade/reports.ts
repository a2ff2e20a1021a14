import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { Empty } from "../scalars.ts";

/** Longest span of a report, days. */
export const mostReportDays = 1830;
/** What the lines of a report are. */
export const saleReportBy = ["field", "region", "category", "month"] as const;

const Figures = {
  plannedHeads: Type.Integer({ minimum: 0, description: "heads of plans that were approved" }),
  offeredHeads: Type.Integer({ minimum: 0, description: "heads of plans that were published" }),
  soldHeads: Type.Integer({ minimum: 0, description: "heads of orders that were not cancelled" }),
  loadedHeads: Type.Integer({ minimum: 0, description: "heads of confirmed weighings" }),
  orders: Type.Integer({ minimum: 0, description: "orders that were not cancelled" }),
  cancelledOrders: Type.Integer({ minimum: 0 }),
  netGrams: Type.Integer({ minimum: 0, description: "g of confirmed settlements" }),
  goodsFen: Type.Integer({
    minimum: 0,
    description: "fen of confirmed settlements, before tax and deductions of the order",
  }),
  deadGrams: Type.Integer({ minimum: 0, description: "g that were not paid because pigs had died" }),
  meanFenPerKg: Type.Optional(
    Type.Integer({ description: "goods by net weight, rounded half-even; left out where nothing is settled" }),
  ),
  marketFenPerKg: Type.Optional(
    Type.Integer({
      description:
        "market price of the loading days, weighted by net weight and rounded half-even; left out where a weight has no price of its day",
    }),
  ),
  daysToMoney: Type.Optional(
    Type.Number({
      description:
        "mean days from the entry of the plan to the completion of its orders, one decimal; left out without any",
    }),
  ),
};

export const saleReport = {
  method: "GET",
  path: "/api/muyuan-trade/report/sales",
  summary:
    "Sales of loading days by field, region, category or month: heads from plan to loading, weights, prices against the market, days to money.",
  access: permission("trade_report_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    from: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "yyyy-MM-dd, loading day" }),
    to: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "yyyy-MM-dd, included" }),
    by: Type.Enum(saleReportBy),
  }),
  body: Empty,
  reply: Type.Object({
    total: Type.Object(Figures),
    rows: Type.Array(
      Type.Object({
        key: Type.String({
          description: 'id of the field or region, key of saleCategories, or yyyy-MM; "" for fields without a region',
        }),
        name: Type.String({ description: "of the field or region; else the key" }),
        ...Figures,
      }),
    ),
  }),
} satisfies Endpoint;
export type SaleReport = Static<typeof saleReport.reply>;
export type SaleFigures = SaleReport["total"];
