import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { choice, date, number, reference, resource, text } from "../resource/index.ts";
import { Empty, Id } from "../scalars.ts";
import { mostDifferenceFen, termPriceKinds, termRefusals } from "./price-term-rules.ts";
import {
  agreedPriceRange,
  buyerReaders,
  categoryField,
  pricePerKgField,
  saleCategories,
  tradeRoles,
} from "./shared.ts";

const kgRange = { min: 1, max: 500, unit: "kg" } as const;
/** Most heads of one term. */
const volumeRange = { min: 1, max: 10_000_000, unit: "头" } as const;
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const categoryKeys = saleCategories.map(([key]) => key);
const IdOrNone = Type.String({ pattern: "^[0-9]{0,19}$", maxLength: 19 });

/** A price term of a contract as staff write it. */
export const PriceTermInput = Type.Object({
  category: Type.Enum(categoryKeys),
  field: { ...IdOrNone, description: 'sale field that it is for; "" for more than one' },
  saleRegion: { ...IdOrNone, description: 'sale region that it is for; "" for more than one' },
  fromKg: Type.Integer({ minimum: kgRange.min, maximum: kgRange.max, description: "mean kg per head, included" }),
  toKg: Type.Integer({ minimum: kgRange.min, maximum: kgRange.max, description: "mean kg per head, included" }),
  kind: Type.Enum(termPriceKinds, { description: "`fixed`, or the price board's price of the day of the declaration" }),
  fen: Type.Integer({
    minimum: -mostDifferenceFen,
    maximum: agreedPriceRange.max,
    description: "fen per kg; with `board` what is added to the board's price",
  }),
  heads: Type.Integer({ minimum: volumeRange.min, maximum: volumeRange.max }),
  fromDay: { ...Day, description: "first loading day" },
  toDay: { ...Day, description: "last loading day" },
});

export type PriceTermInput = Static<typeof PriceTermInput>;

/** A price term as a version of a contract says it. */
export const PriceTermShape = Type.Object({
  ...PriceTermInput.properties,
  place: Type.String({ maxLength: 60, description: 'name of the field or region as it was written; "" for all' }),
});

/** The form of a price term, by which its inputs are drawn. */
export const priceTermForm = {
  category: categoryField,
  field: reference("只在这个场区", { to: "sale_field", hint: "不选则各场区都可以" }),
  saleRegion: reference("只在这个大区", { to: "sale_region" }),
  fromKg: number("均重从", { required: true, ...kgRange }),
  toKg: number("均重到", { required: true, ...kgRange }),
  kind: choice("价格怎么定", {
    required: true,
    options: [
      ["fixed", "固定价"],
      ["board", "随行情价"],
    ],
    default: "fixed",
  }),
  fen: number("价格，或比行情价加减多少", {
    required: true,
    min: -mostDifferenceFen,
    max: agreedPriceRange.max,
    decimals: 2,
    unit: "元/kg",
    hint: "随行情价的填差价，低于行情价填负数",
  }),
  heads: number("数量", { required: true, ...volumeRange }),
  fromDay: date("装车日从", { required: true }),
  toDay: date("装车日到", { required: true }),
} as const;

/** Price terms of signed contracts with what hangs on them, for the group's desk and for the customer that they are of. */
export const priceTerms = resource({
  name: "price_term",
  table: "price_term_rows",
  path: "/api/muyuan-trade/price-term",
  scope: "own-or-all-tenants",
  words: { one: "交易协议", many: "交易协议", oneEn: "Trade agreement" },
  title: "number",
  card: ["termState", "tenantName", "category", "pricePerKg", "leftHeads", "toDay"],
  menu: {
    parent: "trade",
    icon: "sheet",
    path: "/trade/agreement",
    type: "admin",
    // Nobody edits: a term is what both sides signed.
    roles: [],
    viewers: [...tradeRoles.roles, ...tradeRoles.viewers],
  },
  customerMenu: { path: "/order/agreement", type: "order", icon: "sheet", roles: [], viewers: buyerReaders },
  replaced: ["submit", "remove", "obstacles", "changeMany"],
  order: [{ field: "toDay", direction: "asc" }],
  urgent: { field: "termState", values: ["open", "early"] },
  views: [
    { id: "open", name: "生效中", where: { termState: "open" } },
    { id: "over", name: "已结束", where: { termState: "over,used,ended" } },
  ],
  fields: {
    number: text("编号", { max: 40, column: true, search: true }),
    termState: choice("状态", {
      options: [
        ["open", "生效中"],
        ["early", "还没开始"],
        ["used", "已用完"],
        ["over", "已过期"],
        ["ended", "已终止"],
      ],
      filter: true,
      column: true,
    }),
    field: reference("场区", { to: "sale_field", filter: true }),
    saleRegion: reference("销售大区", { to: "sale_region", filter: true }),
    fromKg: number("均重从", kgRange),
    toKg: number("均重到", kgRange),
    pricePerKg: pricePerKgField("协议价"),
    differenceFen: number("比行情价", {
      min: -mostDifferenceFen,
      max: mostDifferenceFen,
      decimals: 2,
      unit: "元/kg",
    }),
    // What a narrow table has room for stands first.
    toDay: date("装车日到", { filter: true, column: true, sort: true }),
    leftHeads: number("还剩", { ...volumeRange, min: 0, column: true, sort: true }),
    heads: number("数量", { ...volumeRange, sort: true }),
    usedHeads: number("已用", { ...volumeRange, min: 0, sort: true }),
    waitingHeads: number("申报中", { ...volumeRange, min: 0 }),
    averageFen: pricePerKgField("平均成交价"),
    againstFen: number("成交价比行情", { min: -12_000, max: 12_000, decimals: 2, unit: "元/kg", column: true }),
    category: categoryField,
    fromDay: date("装车日从", {}),
  },
  sheets: { key: "number", maxRows: 50_000, exportOnly: true },
});

export const declarationTerms = {
  method: "GET",
  path: "/api/muyuan-trade/declaration/terms",
  summary: "The customer's signed price terms, each with what is left and whether it is for a plan.",
  access: permission("declaration_view"),
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ plan: Id }),
  body: Empty,
  reply: Type.Object({
    /** The plan is sold at the contract's price; otherwise no terms are told. */
    byContract: Type.Boolean(),
    terms: Type.Array(
      Type.Object({
        ...PriceTermShape.properties,
        id: Id,
        number: Type.String({ description: "of the contract and the line" }),
        leftHeads: Type.Integer({ description: "volume without heads of orders that are not cancelled" }),
        freeHeads: Type.Integer({ description: "what may be declared: without declarations that wait as well" }),
        fenPerKg: Type.Optional(
          Type.Integer({ description: "price today; left out where the board has none, or it is not for the plan" }),
        ),
        refusal: Type.Optional(
          Type.Enum(termRefusals, { description: "why it is not for the plan; left out where it is" }),
        ),
      }),
    ),
  }),
} satisfies Endpoint;
export type DeclarationTerms = Static<typeof declarationTerms.reply>;
