import { agreementConsentPage } from "./agreements.ts";
import { auditActionNames, auditActions, auditPage } from "./audit.ts";
import { clientList } from "./authorization.ts";
import { bankCardStates, bankCardWords } from "./bank-card-rules.ts";
import { bankCardDeskPage } from "./bank-cards.ts";
import { correctionPage } from "./corrections.ts";
import { list } from "./resource/declaration.ts";
import { choice, date, moment, number, text } from "./resource/fields.ts";
import { visitPage } from "./visit-figures.ts";

// Lists that are not resources, in a module of their own so that only the screens that show one load it.

export const translationList = list({
  name: "translation",
  path: "/api/muyuan-i18n/correction",
  page: correctionPage.path,
  key: ["language", "source"],
  words: { one: "译文条目", many: "译文校对" },
  title: "source",
  fields: {
    source: text("原文", { max: 2000, column: true, search: true }),
    translation: text("译文", { max: 4000, column: true, search: true }),
    machine: choice("来源", {
      options: [
        ["true", "机器翻译"],
        ["false", "人工校对"],
      ],
      column: true,
      filter: true,
      single: true,
    }),
    updateTime: moment("更新时间", { column: true }),
  },
});

export const clientRows = list({
  name: "client",
  path: "/api/muyuan-system/client",
  page: clientList.path,
  words: { one: "应用", many: "第三方应用" },
  title: "name",
  fields: {
    name: text("应用名称", { max: 100, column: true }),
    clientId: text("应用编号", { max: 64, column: true }),
    publicClient: choice("类型", {
      options: [
        ["true", "公开应用"],
        ["false", "机密应用"],
      ],
      column: true,
    }),
    webServerRedirectUri: text("回调地址", { max: 2000, column: true }),
    scope: text("授权范围", { max: 200, column: true }),
    createTime: moment("登记时间", { column: true }),
  },
});

export const visitList = list({
  name: "visit",
  path: "/api/muyuan-content/visit",
  page: visitPage.path,
  key: ["day", "routeName", "path"],
  words: { one: "访问条目", many: "每页每日" },
  title: "path",
  fields: {
    path: text("页面", { max: 300, column: true, search: true, sort: true }),
    day: date("日期", { column: true, sort: true }),
    visits: number("访问", { min: 0, max: 2_147_483_647, column: true, sort: true }),
    dwellMs: number("平均停留", { min: 0, max: 86_400_000, column: true, sort: true }),
  },
});

export const consentList = list({
  name: "agreement_consent",
  path: "/api/muyuan-customer/agreement/consent",
  page: agreementConsentPage.path,
  key: ["accountId", "kind", "version"],
  words: { one: "同意条目", many: "同意记录" },
  title: "contactName",
  fields: {
    contactName: text("姓名", { max: 60, column: true, search: true }),
    account: text("登录名", { max: 60, column: true, search: true }),
    tenants: text("所属组织", { max: 200, column: true }),
    kind: choice("协议", {
      options: [
        ["user", "用户协议"],
        ["privacy", "隐私政策"],
      ],
      column: true,
    }),
    version: text("版本", { max: 20, column: true }),
    agreeTime: moment("同意时间", { column: true, filter: true, ends: ["from", "to"] }),
  },
});

export const auditList = list({
  name: "audit",
  path: "/api/muyuan-log/audit",
  page: auditPage.path,
  words: { one: "操作条目", many: "操作记录" },
  title: "rowTitle",
  fields: {
    rowTitle: text("对象", { max: 60, column: true, search: true }),
    resource: choice("资源", { options: [], column: true, filter: true, single: true }),
    action: choice("动作", {
      options: auditActions.map((action) => [action, auditActionNames[action]]),
      column: true,
      filter: true,
    }),
    changes: text("改动", { max: 1000, column: true }),
    actorName: text("操作人", { max: 30, column: true, search: true }),
    remoteAddress: text("地址", { max: 40 }),
    createTime: moment("时间", { column: true, filter: true, ends: ["from", "to"] }),
  },
});

export const bankCardList = list({
  name: "bank_card",
  path: "/api/muyuan-customer/bank-card/desk",
  page: bankCardDeskPage.path,
  words: { one: "银行卡", many: "客户银行卡" },
  title: "customer",
  fields: {
    customer: text("客户", { max: 60, column: true, search: true }),
    lastFour: text("尾号", { max: 4, column: true, search: true }),
    bankName: text("开户行", { max: 60, column: true }),
    holder: text("户名", { max: 60 }),
    phone: text("预留手机", { max: 20 }),
    state: choice("状态", {
      options: bankCardStates.map((state) => [state, bankCardWords[state].word] as const),
      column: true,
      filter: true,
      single: true,
    }),
    failure: text("说明", { max: 60, column: true }),
    createTime: moment("绑卡时间", { column: true }),
  },
});
