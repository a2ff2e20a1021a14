import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { eventEndpoint, queueEndpoint } from "./process/endpoints.ts";
import { process, statesOf } from "./process/index.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

export const accessRequestScreen = {
  title: "权限申请",
  states: {
    waiting: { word: "等开通", mark: "notice" },
    granted: { word: "已开通", mark: "ok" },
    refused: { word: "没有开通", mark: "off" },
  },
  events: {
    grant: { word: "开通", primary: true, asks: { roleId: { label: "开在哪个角色", from: "roles" } } },
    refuse: { word: "不开通", asks: { reason: { label: "为什么不开通，申请人会看到", rows: 3 } } },
  },
  queues: { waiting: { word: "等开通", of: ["waiting"] }, done: { word: "办完的", of: ["granted", "refused"] } },
} as const;

/** Somebody asks for a screen that the own roles lack. Events: `urge`, asked for again after a day. */
export const accessRequestProcess = process({
  name: "access_request",
  parties: ["asker", "granter"],
  receivers: ["asker", "granters"],
  start: "waiting",
  states: { waiting: "open", granted: "over", refused: "over" },
  events: {
    urge: { by: "asker", from: "waiting", to: "same", tells: { granters: "权限申请" } },
    grant: { by: "granter", from: "waiting", to: "granted", tells: { asker: "申请的页面开通了" } },
    refuse: { by: "granter", from: "waiting", to: "refused", tells: { asker: "申请的页面没有开通" } },
  },
  screen: accessRequestScreen,
});
export type AccessRequestState = keyof typeof accessRequestProcess.states;

const desk = { path: "/api/muyuan-system/access/request", access: permission("role_edit") };
const AccessRequestRow = Type.Object({
  id: Id,
  state: Type.Enum(statesOf(accessRequestProcess)),
  version: Type.Integer(),
  may: Type.Array(Type.String({ description: "events that are allowed now" })),
  asker: Type.String({ description: "name of who asks" }),
  menu: Type.String({ description: "name of the screen, Chinese" }),
  reason: Type.String({ description: 'why it was refused; "" else' }),
  askTime: DateTime,
  /** Roles of who asks. */
  roles: Type.Array(Type.Object({ id: Id, name: Type.String() })),
});

export const accessRequestPage = queueEndpoint(
  desk,
  "Screens that members ask for, by queue.",
  accessRequestScreen,
  AccessRequestRow,
);
export const accessRequestGrant = {
  ...eventEndpoint(desk, "grant", "Adds the screen to one of the roles of who asks.", { roleId: Id }),
  confirmation: "always",
} satisfies Endpoint;
export const accessRequestRefuse = eventEndpoint(desk, "refuse", "Refuses with a reason that who asks reads.", {
  reason: Type.String({ minLength: 1, maxLength: 500 }),
});

export const AccessRequestReply = Type.Object({
  /** Names of the roles whose members were asked, Chinese. */
  roles: Type.Array(Type.String()),
  /** The same was asked for today already, so nobody was told again. */
  asked: Type.Boolean(),
});
export type AccessRequestReply = Static<typeof AccessRequestReply>;

export const accessRequest = {
  method: "POST",
  path: "/api/muyuan-system/access/request",
  summary:
    "Asks those who may give roles in the session's tenant, by a message, for a menu that the own roles lack; once per menu and day.",
  access: signedIn,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ menuCode: Type.String({ minLength: 1, maxLength: 64, description: "`code` of a menu" }) }),
  reply: AccessRequestReply,
} satisfies Endpoint;
