import { process, processResource } from "./process/index.ts";
import { moment, text } from "./resource/index.ts";

/** Requests of members for a screen that their roles lack, answered by people who grant roles. */
export const accessRequestProcess = process({
  name: "access_request",
  parties: ["asker", "granter", "clock"],
  receivers: ["asker", "granters"],
  start: "waiting",
  states: { waiting: "open", granted: "over", refused: "over", expired: "over" },
  events: {
    remind: { by: "asker", from: "waiting", to: "same", tells: { granters: "权限申请" } },
    grant: { by: "granter", from: "waiting", to: "granted", tells: { asker: "申请的页面开通了" } },
    refuse: { by: "granter", from: "waiting", to: "refused", tells: { asker: "申请的页面没有开通" } },
    expire: { by: "clock", from: "waiting", to: "expired", tells: { asker: "申请的页面没有人答复" } },
  },
  deadlines: { expire: { in: "waiting", days: 30 } },
});

export const accessRequests = processResource(accessRequestProcess, {
  table: "access_requests",
  view: "access_request_rows",
  path: "/api/muyuan-system/access-request",
  scope: "tenant",
  words: { one: "开通申请", many: "权限申请", nothing: "成员打不开某个页面时可以申请开通，申请会列在这里。" },
  title: "screen",
  menu: {
    parent: "organization",
    icon: "key",
    path: "/system/accessRequest",
    type: "admin",
    roles: ["administrator"],
  },
  customerMenu: { path: "/selfCenter/accessRequest", type: "selfCenter", icon: "key", roles: ["owner"] },
  fields: {
    screen: text("申请的页面", { max: 60, column: true, search: true }),
    asker: text("申请人", { max: 60, column: true, search: true, personal: "granted" }),
    askedAt: moment("申请时间", { column: true }),
  },
  states: {
    waiting: { word: "等开通", mark: "notice" },
    granted: { word: "已开通", mark: "ok" },
    refused: { word: "没有开通", mark: "off" },
    expired: { word: "没有人答复", mark: "off" },
  },
  events: {
    grant: { word: "已给角色", primary: true },
    refuse: {
      word: "不开通",
      asks: { reason: text("为什么不开通，申请人会看到", { required: true, max: 500, lines: 3 }) },
    },
  },
  lines: { begin: "申请开通", remind: "再次申请", expire: "30 天没有人答复" },
});
