import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { DateTime, Empty, Id } from "../scalars.ts";

const base = "/api/muyuan-trade/statement";
const Fen = Type.Integer({ description: "fen" });
const month = Type.String({
  pattern: "^20\\d{2}-(0[1-9]|1[0-2])$",
  description: "yyyy-MM, a month of Asia/Shanghai",
});
const TenantId = Type.String({ maxLength: 12 });

/** Kinds of lines, each a document. */
export const statementKinds = {
  settlement: "结算",
  credit_note: "贷项通知单",
  debit_note: "借项通知单",
  prepayment: "预付款",
  balance: "尾款",
  refund: "退款",
  deposit: "保证金抵货款",
  surplus: "线上多付",
} as const;

/** Most orders that are told with a balance. */
export const mostOwedOrders = 4;

/** What a customer owes at the beginning and end of a month, and what was added to it and taken from it. */
const sums = {
  openingFen: Type.Integer({ description: "fen; what the customer owed before, negative where the group owed it" }),
  debitFen: Type.Integer({
    description: "fen; the sum of the lines' debits: settlements and notes, credit notes negative",
  }),
  creditFen: Type.Integer({ description: "fen; the sum of the lines' credits: payments, refunds negative" }),
  closingFen: Type.Integer({ description: "fen; opening plus debits less credits, and the opening of the next month" }),
};

export const Statement = Type.Object({
  month,
  tenantId: TenantId,
  customer: Type.String(),
  ...sums,
  /** Oldest first. */
  lines: Type.Array(
    Type.Object({
      id: Id,
      at: DateTime,
      kind: Type.String({ description: "key of statementKinds" }),
      number: Type.String({ description: "of the document" }),
      order: Type.String({ description: "number of the order" }),
      debitFen: Fen,
      creditFen: Fen,
      balanceFen: Type.Integer({ description: "fen; what the customer owes after it" }),
    }),
  ),
});
export type Statement = Static<typeof Statement>;

const one = {
  month,
  tenantId: Type.Optional({ ...TenantId, description: "of a customer; the own one where it is left out" }),
};

export const statementDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary:
    "A customer's statement of a month: opening balance, each document with its running balance, closing balance.",
  access: permission("statement_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(one),
  body: Empty,
  reply: Statement,
} satisfies Endpoint;

export const statementMonths = {
  method: "GET",
  path: `${base}/months`,
  summary: "Months in which a customer has documents, the newest first; at most 24.",
  access: permission("statement_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ tenantId: one.tenantId }),
  body: Empty,
  reply: Type.Array(month),
} satisfies Endpoint;

export const statementCustomers = {
  method: "GET",
  path: `${base}/customers`,
  summary: "Customers with a balance or with documents in a month, with its sums; the own one for a customer.",
  access: permission("statement_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ month }),
  body: Empty,
  reply: Type.Array(
    Type.Object({
      tenantId: TenantId,
      customer: Type.String(),
      ...sums,
      orders: Type.Array(Type.Object({ number: Type.String(), owedFen: Fen }), {
        description: `orders of the last three months that the closing balance belongs to, the largest first; at most ${mostOwedOrders}, and none where more than 50 customers have a balance`,
      }),
    }),
  ),
} satisfies Endpoint;

export const statementExport = {
  method: "POST",
  path: `${base}/export`,
  summary: "Makes an xlsx of a customer's statement of a month, as a job.",
  access: permission("statement_view"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...one, language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;
