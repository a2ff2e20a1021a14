import { choice, date, number } from "../resource/index.ts";

/** Roles of the group that plan and sell, and roles that may only look. */
export const tradeRoles = { roles: ["administrator", "sales"], viewers: ["customer_service"] } as const;

/** Roles of a customer that order, and roles that may only look. */
export const buyerRoles = { roles: ["owner", "farm_manager"], viewers: ["finance"] } as const;
/** All of them, for what customers only look at. */
export const buyerReaders = [...buyerRoles.roles, ...buyerRoles.viewers] as const;

/** Kinds of pigs that are sold; the first three are the breeds of slaughter pigs that the price board has prices for. */
export const saleCategories = [
  ["outer", "外三元商品猪"],
  ["inner", "内三元商品猪"],
  ["local", "土杂商品猪"],
  ["piglet", "仔猪"],
  ["sow", "淘汰母猪"],
  ["boar", "淘汰公猪"],
] as const;
export type SaleCategory = (typeof saleCategories)[number][0];

/** Queues of a list: what waits, by the name of what it waits for, and at the end what is over. */
export const queues = (
  waiting: readonly (readonly [name: string, states: readonly string[]])[],
  over: readonly string[],
) => [
  ...waiting.map(([name, states], at) => ({
    id: at === 0 ? "open" : String(states[0]),
    name,
    where: { state: states.join() },
  })),
  { id: "over", name: "办完的", where: { state: over.join() } },
];

/** Ways of selling (decisions.md 9). */
export const saleModes = [
  ["fixed", "定价"],
  ["bidding", "竞价"],
  ["contract", "合同价"],
] as const;
export type SaleMode = (typeof saleModes)[number][0];

export const categoryField = choice("类别", { required: true, options: saleCategories, filter: true, column: true });
export const modeField = choice("销售模式", { required: true, options: saleModes, filter: true, column: true });

/** Heads of one plan, declaration or order. */
export const headsRange = { min: 1, max: 100_000 } as const;
export const headsField = number("头数", { required: true, ...headsRange, unit: "头", column: true, sort: true });

/** Bounds of an agreed price in fen per kg; a price outside was mistyped. Piglets cost more per kg than slaughter pigs. */
export const agreedPriceRange = { min: 300, max: 12_000 } as const;
/** A price per kg. @param label Chinese, a key of the translations */
export const pricePerKgField = (label: string) =>
  number(label, { ...agreedPriceRange, decimals: 2, unit: "元/kg", column: true });

/** The day from which a setting holds, until a newer version does. */
export const validFromField = date("生效日期", { required: true, filter: true, column: true, sort: true });
