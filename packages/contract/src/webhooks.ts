import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { choice, choices, moment, onOff, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Events that a webhook can ask for, with their Chinese names; see `webhookBodies`. */
export const webhookEvents = [
  ["alarm.raised", "发生告警"],
  ["alarm.ended", "告警结束"],
  ["device.online", "设备上线"],
  ["device.offline", "设备离线"],
  ["device.bound", "绑定设备"],
  ["device.unbound", "解绑设备"],
  ["work_order.changed", "工单变化"],
  ["sale_order.changed", "生猪订单变化"],
  ["contract.changed", "合同变化"],
] as const;

/** Addresses to which a tenant has its events sent, each message signed with the secret of its address. */
export const webhooks = resource({
  name: "webhook",
  table: "webhooks",
  view: "webhook_rows",
  path: "/api/muyuan-system/webhook",
  scope: "tenant",
  words: {
    one: "推送地址",
    many: "数据推送",
    oneEn: "Webhook",
    nothing: "告警、设备、工单、订单和合同一有变化，就推送到您的系统。",
  },
  title: "name",
  menu: {
    parent: "pig_farm",
    icon: "upload",
    path: "/selfCenter/webhook",
    type: "selfCenter",
    roles: ["owner", "administrator"],
  },
  order: [{ field: "name", direction: "asc" }],
  fields: {
    name: text("名称", { required: true, max: 60, unique: "scope", search: true, column: true }),
    address: text("接收地址", {
      required: true,
      max: 1000,
      rule: "web-address",
      column: true,
      hint: "以 https 开头。改了地址要重新生成密钥",
    }),
    events: choices("推送什么", { required: true, options: webhookEvents, max: webhookEvents.length, column: true }),
    remark: text("备注", { max: 200, lines: 2 }),
    active: onOff("启用", { default: true, filter: true }),
    state: choice("状态", {
      derived: true,
      options: [
        ["on", "正常"],
        ["no_secret", "还没有密钥"],
        ["failing", "送不到"],
        ["stopped", "连续送不到，已停"],
        ["off", "没有启用"],
      ],
      column: true,
      filter: true,
    }),
  },
  derived: { lastDeliveredAt: moment("最近送达", { column: true }) },
});

export const webhookDeliveryStates = ["waiting", "delivered", "failed"] as const;

/**
 * Why there was no answer: the address can't be read, its name leads nowhere, it is inside a network that is not to be called, it is
 * not https, nobody answered in time, or what answered was none.
 */
export const webhookFaults = ["unreadable", "unknown", "inside", "plain", "unreachable", "refused"] as const;
export type WebhookFaultReason = (typeof webhookFaults)[number];

export const WebhookDelivery = Type.Object({
  /** `webhook-id` of the message. */
  id: Type.String(),
  event: Type.String(),
  state: Type.Enum(webhookDeliveryStates),
  attempts: Type.Integer({ minimum: 0 }),
  createTime: DateTime,
  /** Of the last try; "" before the first. */
  triedTime: DateTime,
  /** When it is tried next; "" where it is not. */
  nextTime: DateTime,
  status: Type.Integer({ description: "HTTP status of the answer; 0 where there was none" }),
  tookMs: Type.Integer({ description: "how long the last try took, ms" }),
  answer: Type.String({ description: "beginning of the answer's body" }),
  fault: Type.Enum(["", ...webhookFaults] as const, { description: 'why there was no answer; "" where there was one' }),
  body: Type.String({ description: "what is sent, JSON" }),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const of = { owner: "tenant", personal: {}, form: "envelope" } as const;
const idBody = Type.Object({ id: Id });

export const webhookDeliveryPage = {
  ...of,
  method: "GET",
  path: `${webhooks.path}/delivery/page`,
  summary: "What was sent to a webhook within the last 30 days, newest first.",
  access: permission("webhook_view"),
  rate: "read",
  query: Type.Object({
    ...pageQuery,
    webhookId: Id,
    state: Type.Optional(Type.Enum(webhookDeliveryStates)),
  }),
  body: Empty,
  reply: pageOf(WebhookDelivery),
} satisfies Endpoint;

export const webhookSecret = {
  ...of,
  method: "POST",
  path: `${webhooks.path}/secret`,
  summary: "Makes a new secret for a webhook, in force at once; it is answered once and never again.",
  access: permission("webhook_edit"),
  rate: "guarded",
  query: Empty,
  body: idBody,
  reply: Type.Object({ secret: Type.String() }),
  confirmation: "always",
} satisfies Endpoint;

export const webhookTry = {
  ...of,
  method: "POST",
  path: `${webhooks.path}/try`,
  summary: "Sends a test event to a webhook at once, also to one that is turned off, and answers how that went.",
  access: permission("webhook_edit"),
  rate: "guarded",
  query: Empty,
  body: idBody,
  reply: WebhookDelivery,
} satisfies Endpoint;

export const webhookResend = {
  ...of,
  method: "POST",
  path: `${webhooks.path}/resend`,
  summary: "Sends a message again at once, under the same id with a new time and signature, and answers how that went.",
  access: permission("webhook_edit"),
  rate: "guarded",
  query: Empty,
  body: Type.Object({
    id: Type.String({ pattern: "^(msg_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", description: "as in the log" }),
    webhookId: Id,
  }),
  reply: WebhookDelivery,
} satisfies Endpoint;
