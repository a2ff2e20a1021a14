import { process, processResource } from "../process/index.ts";
import { choice, moment, number, reference, text } from "../resource/index.ts";
import { tradeRoles } from "./shared.ts";

/**
 * A ticket that a weighbridge sent: matched to a vehicle by its plate, or by staff, and used when both weights of the vehicle are there. One that
 * can't be relied on is refused; one that nobody needs is dismissed, by the clock after two days.
 */
export const scaleTicketProcess = process({
  name: "scale_ticket",
  parties: ["desk", "scale", "clock"],
  receivers: ["desk"],
  start: "unmatched",
  states: { unmatched: "open", matched: "open", used: "over", refused: "over", dismissed: "over" },
  events: {
    match: { by: ["desk", "scale"], from: "unmatched", to: "matched" },
    unmatch: { by: "desk", from: "matched", to: "unmatched" },
    use: { by: "scale", from: "matched", to: "used" },
    /** The weighing that it was used for was discarded. */
    release: { by: "scale", from: "used", to: "unmatched" },
    refuse: { by: "scale", from: "unmatched", to: "refused", tells: { desk: "磅单不能用于过磅" } },
    dismiss: { by: ["desk", "scale"], from: ["unmatched", "matched"], to: "dismissed" },
    lapse: { by: "clock", from: ["unmatched", "matched"], to: "dismissed" },
  },
  deadlines: { lapse: { in: ["unmatched", "matched"], at: "expires_at" } },
});

/** What is wrong with a ticket; the first six refuse it, the others hold it off until somebody acts. */
const ticketProblems = [
  ["range", "重量不在量程内"],
  ["phase", "没有说进场还是出场"],
  ["unstable", "称重没有稳定"],
  ["zero", "地磅没有归零"],
  ["calibration", "地磅检定过期"],
  ["time", "称重时间不对"],
  ["plate", "没有这个车牌的车"],
  ["several", "几辆车是这个车牌"],
  ["order", "订单不在装车中"],
  ["weighed", "这辆车已经过磅"],
  ["papers", "洗消证不在有效期"],
  ["weights", "空车不比重车轻"],
  ["settled", "订单已经结算"],
] as const;
export type TicketProblem = (typeof ticketProblems)[number][0];

const weightUses = [
  ["tare", "皮重"],
  ["gross", "毛重"],
] as const;
/** Which weight of a vehicle a ticket is. */
export type WeightUse = (typeof weightUses)[number][0];

export const scaleTickets = processResource(scaleTicketProcess, {
  table: "scale_tickets",
  view: "scale_ticket_rows",
  path: "/api/muyuan-trade/scale-ticket",
  scope: "own-or-all-tenants",
  words: { one: "磅单", many: "地磅磅单" },
  title: "ticket",
  ownerTold: true,
  card: ["plate", "phase", "weightGrams", "netGrams", "weighedAt"],
  menu: { parent: "trade", icon: "scale", path: "/trade/scaleTicket", type: "admin", ...tradeRoles },
  fields: {
    ticket: text("磅单号", { max: 60, search: true, column: true }),
    plate: text("车牌", { max: 20, search: true, column: true }),
    // It stands beside the state.
    problem: choice("问题", { options: ticketProblems, filter: true }),
    weightGrams: number("重量", { min: -1_000_000_000, max: 1_000_000_000, decimals: 3, unit: "kg", column: true }),
    // Of a vehicle that drives out, against the ticket before it.
    netGrams: number("净重", { min: 0, max: 1_000_000_000, decimals: 3, unit: "kg", column: true }),
    phase: choice("进出", {
      options: [
        ["in", "进场"],
        ["out", "出场"],
      ],
      column: true,
    }),
    stable: choice("稳定", {
      options: [
        ["yes", "稳定"],
        ["no", "未稳定"],
      ],
    }),
    weighedAt: moment("称重时间", { column: true, sort: true }),
    deviceName: text("地磅", { max: 60, column: true }),
    farmName: text("场区", { max: 60 }),
    zeroGrams: number("零点偏移", { min: -1_000_000_000, max: 1_000_000_000, decimals: 3, unit: "kg" }),
    calibratedUntil: moment("检定有效到", {}),
    place: choice("哪里称的", {
      options: [
        ["loading", "装车"],
        ["arrival", "到货"],
      ],
      filter: true,
    }),
    use: choice("用作", { options: weightUses }),
    need: choice("要不要处理", {
      options: [
        ["act", "要处理"],
        ["wait", "等另一次过磅"],
        ["passer", "路过的车"],
        ["done", "办完了"],
      ],
      filter: true,
    }),
    order: reference("所属订单", { to: "sale_order", filter: true }),
    transit: reference("转运单", { to: "transit", filter: true }),
  },
  states: {
    unmatched: { word: "未匹配", mark: "minor" },
    matched: { word: "已匹配", mark: "notice" },
    used: { word: "已用", mark: "ok" },
    refused: { word: "不能用", mark: "major" },
    dismissed: { word: "不用了", mark: "off" },
  },
  events: {
    match: {
      word: "匹配车辆",
      primary: true,
      asks: {
        transit: reference("转运单", { to: "transit", required: true }),
        use: choice("用作", { options: weightUses, required: true }),
      },
    },
    unmatch: { word: "取消匹配" },
    dismiss: { word: "不用了", asks: { reason: text("为什么不用", { required: true, max: 200, lines: 2 }) } },
  },
  order: [{ field: "weighedAt", direction: "desc" }],
  urgent: { field: "need", values: ["act", "wait", "passer"] },
  lines: {
    begin: "收到磅单",
    use: "用作过磅",
    release: "过磅单作废，磅单退回",
    refuse: "磅单不能用",
    lapse: "两天没有用，自动归档",
  },
  parties: { scale: "地磅" },
});
