import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { choice, date, number, onOff, reference, resource, text } from "../resource/index.ts";
import { Empty, Id } from "../scalars.ts";

/** Largest transfer, fen. */
const mostFen = 1_000_000_000_000;

/**
 * Lines of the bank's statement, as its sheet has them. A line that came is never changed; the payment or deposit whose bank reference is the
 * line's is the one that it pays.
 */
export const bankLines = resource({
  name: "bank_line",
  table: "bank_lines",
  view: "bank_line_rows",
  path: "/api/muyuan-trade/bank-line",
  scope: "group",
  words: { one: "银行流水", many: "银行流水", oneEn: "Line of a bank statement" },
  title: "bankReference",
  menu: { parent: "trade", icon: "card", path: "/trade/bankLine", type: "admin", roles: ["administrator", "sales"] },
  views: [
    { id: "unmatched", name: "未匹配", where: { matching: "unmatched" } },
    { id: "recorded", name: "待复核", where: { matching: "recorded" } },
  ],
  order: [{ field: "bookedOn", direction: "desc" }],
  urgent: { field: "matching", values: ["unmatched", "recorded"] },
  card: ["matching", "matchedTo", "bookedOn", "amountFen", "counterpartyName", "summary"],
  fields: {
    bankReference: text("银行流水号", {
      required: true,
      max: 40,
      unique: "scope",
      fixed: true,
      search: true,
      column: true,
    }),
    bookedOn: date("入账日", { required: true, fixed: true, filter: true, column: true, sort: true }),
    direction: choice("收支", {
      required: true,
      options: [
        ["in", "收入"],
        ["out", "支出"],
      ],
      fixed: true,
      filter: true,
    }),
    amountFen: number("金额", {
      required: true,
      min: 1,
      max: mostFen,
      decimals: 2,
      unit: "元",
      fixed: true,
      column: true,
      sort: true,
    }),
    matching: choice("匹配", {
      options: [
        ["unmatched", "未匹配"],
        ["recorded", "待复核"],
        ["done", "已匹配"],
        ["aside", "不是货款"],
      ],
      derived: true,
      filter: true,
      column: true,
    }),
    matchedTo: text("匹配的单据", { max: 30, derived: true, search: true, column: true }),
    counterpartyName: text("对方户名", {
      max: 100,
      fixed: true,
      column: true,
      stored: "encrypted",
      personal: "granted",
      verbatim: true,
    }),
    counterpartyAccount: text("对方账号", { max: 40, fixed: true, stored: "encrypted", personal: "granted" }),
    summary: text("附言", { max: 200, fixed: true, search: true, column: true, verbatim: true }),
    namedPayment: reference("附言里的收付款", { to: "payment", derived: true }),
    namedDifferenceFen: number("与应收付相差", { min: -mostFen, max: mostFen, decimals: 2, unit: "元", derived: true }),
    waitingDays: number("几天没有匹配", { min: 0, max: 100_000, unit: "天", derived: true, sort: true }),
    aside: onOff("不是货款", { hint: "利息、手续费这样的流水，不再等匹配" }),
    note: text("备注", { max: 200 }),
  },
  sheets: { key: "bankReference", maxRows: 20_000 },
});

/** What a line may pay. */
export const bankLineTargets = ["payment", "deposit"] as const;

/** Something that a line may pay, with what speaks for it. */
const Proposal = Type.Object({
  target: Type.Enum(bankLineTargets, { description: "process of the row" }),
  id: Id,
  number: Type.String(),
  what: Type.String({
    description: "kind of a payment; `deposit` for one that is paid in, `release` for one that is given back",
  }),
  customer: Type.String(),
  of: Type.String({ description: "number of its order or lot" }),
  amountFen: Type.Integer({ description: "fen; what is due" }),
  differenceFen: Type.Integer({ description: "fen; what the line is more than is due, negative where it is less" }),
  by: Type.Enum(["number", "account", "name", "amount"], {
    description:
      "why it is proposed: its number stands in the remark; the same amount from the customer's bank card, from an account with the customer's name, or from somebody else",
  }),
});
export type BankLineProposal = Static<typeof Proposal>;

export const bankLineProposals = {
  method: "GET",
  path: `${bankLines.path}/proposals`,
  summary:
    "What an unmatched line of the bank's statement may pay, the likeliest first; at most 20. Nothing is matched by itself.",
  access: permission("bank_line_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Array(Proposal),
} satisfies Endpoint;

export const bankLineMatch = {
  method: "POST",
  path: `${bankLines.path}/match`,
  summary:
    "Records that a line of the bank's statement pays a payment or deposit: the event record with the line's reference, day and amount, or release for a deposit that is given back. Somebody else confirms it; sent back, it frees the line.",
  access: permission("bank_line_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, target: Type.Enum(bankLineTargets), row: Id }),
  reply: Type.Object({ id: Id, state: Type.String({ description: "of the payment or deposit" }) }),
} satisfies Endpoint;
