import { agreementConsentPage } from "./agreements.ts";
import { announcementReceiptPage } from "./announcements.ts";
import { auditActionNames, auditActions, auditPage } from "./audit.ts";
import { clientList } from "./authorization.ts";
import { bankCardStates, bankCardWords } from "./bank-card-rules.ts";
import { bankCardDeskPage } from "./bank-cards.ts";
import { commissioningUnitPage } from "./commissioning.ts";
import { correctionPage } from "./corrections.ts";
import { onlineSessionPage } from "./online-sessions.ts";
import { list } from "./resource/declaration.ts";
import { choice, date, moment, number, text } from "./resource/fields.ts";
import { apiLogPage, errorLogPage, usualLogPage } from "./service-logs.ts";
import { storedFilePage } from "./stored-files.ts";
import { visitPage } from "./visit-figures.ts";

// Lists that are not resources, in a module of their own so that only the screens that show one load it.

export const translationList = list({
  name: "translation",
  path: "/api/muyuan-i18n/correction",
  page: correctionPage.path,
  key: ["language", "source"],
  words: { one: "译文条目", many: "译文校对" },
  title: "source",
  card: ["translation"],
  views: [{ id: "unread", name: "还没校对", where: { machine: "true" } }],
  fields: {
    source: text("原文", { max: 2000, column: true, search: true }),
    translation: text("译文", { max: 4000, column: true, search: true }),
    machine: choice("来源", {
      options: [
        ["true", "机器翻译"],
        ["false", "人工校对"],
      ],
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

export const receiptList = list({
  name: "announcement_receipt",
  path: "/api/muyuan-message-center/announcement/receipt",
  page: announcementReceiptPage.path,
  key: ["accountId"],
  words: { one: "收到的人", many: "收到的人" },
  title: "contactName",
  fields: {
    contactName: text("姓名", { max: 60, column: true, search: true }),
    readTime: moment("阅读时间", { column: true }),
    tenants: text("所属组织", { max: 200, column: true, search: true }),
    account: text("登录名", { max: 60, column: true, search: true }),
    reading: choice("阅读", {
      options: [
        ["read", "已读"],
        ["unread", "未读"],
      ],
      filter: true,
      single: true,
    }),
    remindTime: moment("提醒时间", { column: true }),
  },
});

export const auditList = list({
  name: "audit",
  path: "/api/muyuan-log/audit",
  page: auditPage.path,
  words: { one: "操作条目", many: "操作记录", search: "对象或操作人的名称" },
  title: "rowTitle",
  fields: {
    rowTitle: text("对象", { max: 60, column: true, search: true }),
    resource: choice("资源", { options: [], column: true, filter: true, single: true }),
    action: choice("动作", {
      options: auditActions.map((action) => [action, auditActionNames[action]]),
      column: true,
      filter: true,
    }),
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

/** Fields that the lists of all three service logs have. */
const logFields = {
  createTime: moment("时间", { column: true, filter: true, ends: ["createTime_datege", "createTime_datele"] }),
  createBy: text("登录名", { max: 60, column: true, filter: true }),
  methodName: text("接口操作", { max: 200, column: true, filter: true }),
  requestUri: text("路径", { max: 200, filter: true }),
  method: choice("方法", {
    options: ["GET", "POST", "PUT", "DELETE"].map((method) => [method, method] as const),
    filter: true,
    single: true,
  }),
  serviceId: text("服务", { max: 60 }),
  remoteIp: text("地址", { max: 40 }),
  requestId: text("请求编号", { max: 60 }),
} as const;

export const errorLogList = list({
  name: "error_log",
  path: "/api/muyuan-log/error",
  page: errorLogPage.path,
  words: { one: "错误条目", many: "错误日志", nothing: "没有出过错。服务器自己出错的调用会记在这里。" },
  title: "message",
  bounded: true,
  fields: {
    message: text("错误", { max: 200, column: true, filter: true, verbatim: true }),
    exceptionName: text("类型", { max: 200, column: true, filter: true }),
    ...logFields,
  },
});

export const usualLogList = list({
  name: "usual_log",
  path: "/api/muyuan-log/usual",
  page: usualLogPage.path,
  words: {
    one: "拒绝的请求",
    many: "拒绝的请求",
    oneEn: "Refused request",
    nothing: "没有被拒绝的请求。被拒绝的请求和原因会记在这里。",
  },
  title: "logId",
  bounded: true,
  fields: {
    logId: text("拒绝原因", { max: 200, column: true, filter: true }),
    logLevel: choice("级别", {
      options: [
        ["info", "普通"],
        ["warn", "没有权限"],
      ],
      column: true,
      filter: true,
      single: true,
    }),
    ...logFields,
  },
});

export const apiLogList = list({
  name: "api_log",
  path: "/api/muyuan-log/api",
  page: apiLogPage.path,
  words: { one: "接口条目", many: "接口日志", nothing: "改动了数据的调用和耗时会记在这里。" },
  title: "methodName",
  card: ["status", "createTime", "time", "createBy"],
  bounded: true,
  views: [
    { id: "failed", name: "没有成功的", where: { outcome: "failed" } },
    { id: "slow", name: "慢的", where: { outcome: "slow" } },
  ],
  fields: {
    ...logFields,
    // Told with a word, so that it stands as one.
    status: text("状态码", { max: 20, column: true }),
    time: number("耗时", { min: 0, max: 86_400_000, unit: "ms", column: true }),
  },
  conditions: {
    outcome: choice("调用结果", {
      options: [
        ["failed", "没有成功"],
        ["slow", "慢，1 秒以上"],
      ],
      filter: true,
      single: true,
    }),
  },
});

export const onlineSessionList = list({
  name: "online_session",
  path: "/api/muyuan-auth/session/online",
  page: onlineSessionPage.path,
  words: { one: "会话", many: "在线会话" },
  title: "personName",
  fields: {
    personName: text("人员", { max: 16, column: true, search: true }),
    account: text("登录名", { max: 16, column: true, search: true }),
    tenantName: text("租户", { max: 24, column: true, search: true }),
    device: text("设备与浏览器", { max: 20, column: true }),
    address: text("地址", { max: 16, column: true }),
    createTime: moment("登录时间", { column: true }),
    lastSeenAt: moment("最近使用", { column: true }),
  },
  conditions: {
    seen: choice("最近使用", {
      options: [
        ["hour", "一小时内"],
        ["day", "一天内"],
      ],
      filter: true,
      single: true,
    }),
  },
});

export const storedFileList = list({
  name: "stored_file",
  path: "/api/muyuan-resource/attach/stored",
  page: storedFilePage.path,
  words: { one: "文件", many: "附件", search: "文件名或上传人" },
  title: "originalName",
  card: ["tenantName", "personName", "attachSize", "createTime"],
  bounded: true,
  views: [{ id: "unused", name: "没有地方在用", where: { used: "no" } }],
  fields: {
    originalName: text("文件名", { max: 200, column: true, search: true, verbatim: true }),
    // Many have the same name; what they belong to tells them apart.
    uses: text("在哪里用", { max: 400, column: true }),
    tenantName: text("租户", { max: 24, column: true }),
    personName: text("上传人", { max: 16, column: true, search: true }),
    attachSize: number("大小", { min: 0, max: 1_000_000_000, column: true }),
    kind: choice("类型", {
      options: [
        ["picture", "图片"],
        ["video", "视频"],
        ["sheet", "表格"],
        ["other", "其他"],
      ],
      column: true,
      filter: true,
      single: true,
    }),
    visibility: choice("可见", {
      options: [
        ["shared", "有地址的人"],
        ["private", "本人"],
      ],
      filter: true,
      single: true,
    }),
    createTime: moment("上传时间", { column: true }),
  },
  conditions: {
    used: choice("使用", {
      options: [
        ["yes", "有地方在用"],
        ["no", "没有地方在用"],
      ],
      filter: true,
      single: true,
    }),
  },
});

export const commissioningUnitList = list({
  name: "commissioning_unit",
  path: "/api/muyuan-iot/commissioning",
  page: commissioningUnitPage.path,
  words: { one: "单元", many: "单元调试" },
  title: "unitName",
  card: ["farmName"],
  fields: {
    unitName: text("单元", { max: 60, column: true, search: true }),
    // Told with the unit.
    houseName: text("猪舍", { max: 60, search: true }),
    state: choice("调试", {
      options: [
        ["never", "没调试过"],
        ["open", "正在调试"],
        ["again", "要再调试"],
        ["signed", "已调试"],
      ],
      column: true,
      filter: true,
      single: true,
    }),
    farmName: text("场区", { max: 60, column: true, search: true }),
    devices: number("设备", { min: 0, max: 1_000_000, column: true }),
    signedBy: text("签字人", { max: 60, column: true }),
    signTime: moment("签字时间", { column: true }),
  },
});
