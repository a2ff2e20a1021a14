import { personField, personPhoneField } from "../archives/shared.ts";
import { process, processResource } from "../process/index.ts";
import { choice, date, moment, number, onOff, reference, text } from "../resource/index.ts";
import { buyerRoles, queues, tradeRoles } from "./shared.ts";

/**
 * A vehicle of an order with its driver and certificates, from its entry to the slaughterhouse (decisions.md 9). A vehicle without a valid
 * washing and disinfection certificate is neither cleared nor loaded nor weighed. The driver acts by a link, without an account.
 */
export const transitProcess = process({
  name: "transit",
  parties: ["customer", "desk", "order", "driver"],
  receivers: ["customer", "desk"],
  start: "planned",
  states: {
    planned: "open",
    ready: "open",
    loading: "open",
    departed: "open",
    arrived: "open",
    closed: "over",
    cancelled: "over",
  },
  events: {
    assign: { by: ["customer", "desk"], from: ["planned", "ready"], to: "planned" },
    disinfect: { by: ["customer", "desk", "driver"], from: ["planned", "ready", "loading"], to: "same" },
    quarantine: { by: ["customer", "desk", "driver"], from: ["planned", "ready", "loading"], to: "same" },
    clear: { by: "desk", from: "planned", to: "ready", tells: { customer: "车辆可以进场装车" } },
    load: { by: "desk", from: "ready", to: "loading" },
    depart: { by: ["desk", "driver"], from: "loading", to: "departed", tells: { customer: "车辆出发了" } },
    arrive: { by: ["customer", "desk", "driver"], from: "departed", to: "arrived", tells: { desk: "车辆到达了" } },
    close: { by: ["customer", "desk"], from: "arrived", to: "closed" },
    cancel: {
      by: ["customer", "desk", "order"],
      from: ["planned", "ready"],
      to: "cancelled",
      tells: { desk: "车辆取消了" },
    },
  },
});

const plate = text("车牌", { required: true, max: 12, search: true, column: true });
const heads = number("头数", { required: true, min: 1, max: 1000, unit: "头", column: true });
const driverName = { ...personField("司机"), required: true } as const;
const driverPhone = { ...personPhoneField, label: "司机电话", rule: "mobile", required: true, column: false } as const;
const destination = text("运往", { max: 60, hint: "屠宰场的名字，司机在手机上看得到" });
const certificate = (label: string) => text(label, { max: 40, search: true });
const dried = onOff("已烘干", {});
const until = date("检疫证有效到", {});
const quarantineHeads = number("检疫头数", { min: 1, max: 1000, unit: "头" });

export const transits = processResource(transitProcess, {
  table: "transits",
  view: "transit_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/transit",
  scope: "own-or-all-tenants",
  words: { one: "转运单", many: "转运信息" },
  title: "number",
  number: "ZY",
  card: ["tenantName", "order", "day", "plate", "heads", "washEnds"],
  views: queues([["未办完", ["planned", "ready", "loading", "departed", "arrived"]]], ["closed", "cancelled"]),
  menu: { parent: "trade", icon: "swap", path: "/trade/transit", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/transit", type: "order", icon: "swap", ...buyerRoles },
  fields: {
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    day: date("装车日", { filter: true, column: true, sort: true }),
    missing: choice("随车证件", {
      options: [
        ["none", "齐全"],
        ["wash", "缺洗消证"],
        ["quarantine", "缺检疫证"],
        ["both", "两证都缺"],
      ],
    }),
    plate,
    heads,
    // Of a vehicle that is not on its way yet.
    washEnds: moment("洗消证到期", { column: true }),
    driverName,
    driverPhone,
    destination,
    disinfectionNumber: certificate("洗消证号"),
    disinfectedAt: moment("洗消时间", {}),
    disinfectionUntil: moment("洗消证有效到", { sort: true }),
    dried,
    quarantineNumber: certificate("检疫证号"),
    quarantineHeads,
    quarantineUntil: until,
    departedAt: moment("出发时间", { column: true }),
    arrivedAt: moment("到达时间", { column: true }),
    flagged: choice("路线异常", {
      options: [
        ["yes", "有"],
        ["no", "没有"],
      ],
      filter: true,
    }),
  },
  states: {
    planned: { word: "待放行", mark: "notice" },
    ready: { word: "可装车", mark: "ok" },
    loading: { word: "装车中", mark: "notice" },
    departed: { word: "在途", mark: "notice" },
    arrived: { word: "已到达", mark: "ok" },
    closed: { word: "已办结", mark: "ok" },
    cancelled: { word: "已取消", mark: "off" },
  },
  begin: {
    word: "登记车辆",
    asks: {
      order: reference("生猪订单", { to: "sale_order", required: true }),
      plate,
      heads,
      driverName,
      driverPhone,
      destination,
    },
  },
  events: {
    clear: { word: "放行装车", primary: true },
    load: { word: "开始装这车", primary: true },
    depart: { word: "已出发", primary: true },
    arrive: { word: "已到达", primary: true },
    close: { word: "办结", primary: true },
    disinfect: {
      word: "登记洗消证",
      asks: {
        disinfectionNumber: text("洗消证号", { required: true, max: 40 }),
        washedAt: text("洗消时间", { required: true, max: 16, rule: "date-time", hint: "如 2026-03-23 05:30" }),
        validUntil: text("洗消证有效到", { required: true, max: 16, rule: "date-time", hint: "如 2026-03-24 05:30" }),
        dried,
      },
    },
    quarantine: {
      word: "登记检疫证",
      asks: {
        quarantineNumber: text("检疫证号", { required: true, max: 40 }),
        quarantineHeads: { ...quarantineHeads, required: true },
        quarantineUntil: { ...until, required: true },
      },
    },
    assign: { word: "换车或司机", asks: { plate, heads, driverName, driverPhone, destination } },
    cancel: { word: "取消这车", asks: { reason: text("取消原因", { required: true, max: 200, lines: 2 }) } },
  },
  sheets: { key: "plate", maxRows: 2000, events: ["disinfect", "quarantine"] },
  urgent: ["planned", "ready", "loading", "departed", "arrived"],
  lines: {
    begin: "已登记车辆",
    disinfect: "已登记洗消证",
    quarantine: "已登记检疫证",
    clear: "已放行",
    load: "装车开始",
    close: "已办结",
  },
  parties: { driver: "司机" },
});
