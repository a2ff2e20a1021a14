import { choice, date, moment, number, reference, resource, text } from "../resource/index.ts";
import { orderProcess, orders } from "./orders.ts";
import { headsField, tradeRoles } from "./shared.ts";

/** What may be late or wrong in an order, the worst first (migration 0446 says when). */
const abnormalReasons = [
  ["not_loaded", "过了装车日没有装"],
  ["loading_long", "装车超过一天"],
  ["weight", "到货重量有争议"],
  ["way", "路上有异常"],
  ["no_vehicle", "快装车了没有车"],
  ["not_settled", "过磅两天没有结算"],
  ["not_paid", "尾款到期没有付清"],
] as const;

/** Open orders in which something is late or wrong, for the group's desk. */
export const abnormalOrders = resource({
  name: "abnormal_order",
  table: "abnormal_orders",
  path: "/api/muyuan-trade/order/abnormal",
  scope: "own-or-all-tenants",
  words: {
    one: "异常订单",
    many: "异常订单",
    oneEn: "Abnormal order",
    nothing: "订单迟了或有争议时，会显示在这里，最久的在前。",
  },
  title: "number",
  ofCustomers: true,
  card: ["tenantName", "reason", "since", "dueFen", "field", "day"],
  menu: {
    parent: "trade",
    icon: "bell",
    path: "/trade/abnormalOrder",
    type: "admin",
    roles: [...tradeRoles.roles, ...tradeRoles.viewers],
  },
  replaced: ["submit", "remove", "obstacles", "changeMany"],
  order: [{ field: "since", direction: "asc" }],
  fields: {
    number: text("编号", { max: 30, column: true, search: true }),
    reason: choice("哪里异常", { options: abnormalReasons, filter: true, column: true }),
    since: moment("从什么时候", { column: true, sort: true }),
    lateSince: moment("从什么时候晚的", {}),
    dueFen: number("还欠", {
      min: -1_000_000_000_000,
      max: 1_000_000_000_000,
      decimals: 2,
      unit: "元",
      column: true,
    }),
    order: reference("所属订单", { to: "sale_order", filter: true }),
    field: reference("场区", { to: "sale_field", filter: true, column: true }),
    day: date("装车日", { filter: true, column: true, sort: true }),
    heads: headsField,
    orderState: choice("订单状态", {
      options: Object.keys(orderProcess.states).map(
        (state) => [state, orders.process.states[state as keyof typeof orders.process.states].word] as const,
      ),
      filter: true,
      column: true,
    }),
  },
});
