import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** Kinds of messages. */
export const messageKinds = [
  "alarm",
  "security",
  "service",
  "trade",
  "contract",
  "real_name",
  "price",
  "announcement",
  "system",
] as const;
export type MessageKind = (typeof messageKinds)[number];

/** A message in the portal. Title and content are Chinese, and keys of the translations unless a person wrote the English. */
export const Message = Type.Object({
  id: Id,
  kind: Type.Enum(messageKinds),
  title: Type.String(),
  content: Type.String(),
  titleEn: Type.String({ description: '"" where the Chinese is to be translated' }),
  contentEn: Type.String(),
  /** Sent at once, even in quiet hours. */
  urgent: Type.Boolean(),
  status: Type.Integer({ description: "0 unread, 1 read" }),
  link: Type.String({ description: 'path in the portal that it leads to; "" when there is none' }),
  createTime: DateTime,
});
export type Message = Static<typeof Message>;

const base = "/api/muyuan-message-center/message";

export const messagePage = {
  method: "GET",
  path: `${base}/page/user`,
  summary: "The own messages, newest first.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    kind: Type.Optional(Type.Enum(messageKinds)),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: "0 unread, 1 read" })),
  }),
  body: Empty,
  reply: pageOf(Message),
} satisfies Endpoint;

/** Messages about one thing: the newest of them, and how many there are. */
export const MessageGroup = Type.Object({
  ...Message.properties,
  /** Names the thing among the person's messages; the same as long as it is the same thing. */
  thing: Type.String(),
  count: Type.Integer({ minimum: 1 }),
  unread: Type.Integer({ minimum: 0 }),
  firstTime: DateTime,
});
export type MessageGroup = Static<typeof MessageGroup>;

export const messageGroups = {
  method: "GET",
  path: `${base}/groups`,
  summary:
    "The own messages by what they are about, the thing with the newest message first; unread is what has an unread one.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: messagePage.query,
  body: Empty,
  reply: pageOf(MessageGroup),
} satisfies Endpoint;

/** Delivery of a message by a channel other than the list. */
export const MessageDelivery = Type.Object({
  channel: Type.Enum(["sms", "mail", "wechat"] as const),
  state: Type.Enum(["waiting", "sent", "failed", "dropped"] as const),
  /** When it was sent, or will be. */
  atTime: DateTime,
});
export type MessageDelivery = Static<typeof MessageDelivery>;

export const messageDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "An own message with where else it went.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({
    ...Message.properties,
    thing: MessageGroup.properties.thing,
    deliveries: Type.Array(MessageDelivery),
    /** Messages about the same thing up to this one, newest first, at most 50; this one is the first. */
    course: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        content: Type.String(),
        titleEn: Type.String(),
        contentEn: Type.String(),
        createTime: DateTime,
      }),
    ),
  }),
} satisfies Endpoint;

export const messageCounts = {
  method: "GET",
  path: `${base}/counts`,
  summary:
    "How many own messages there are of each kind, how many of them are unread, and about how many things they are.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(
    Type.Object({
      kind: Type.Enum(messageKinds),
      total: Type.Integer(),
      unread: Type.Integer(),
      things: Type.Integer(),
      unreadThings: Type.Integer({ description: "those with an unread message" }),
    }),
  ),
} satisfies Endpoint;

/** Ids of messages whose whole group is meant, as far as it was when the message was its newest. */
const groups = { groups: idList };

export const messageUpdateStatus = {
  method: "POST",
  path: `${base}/update_status`,
  summary: "Marks own messages as read (status 1, the default) or unread (0); without ids or groups all of them.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList, ...groups, status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
  body: Type.Object({ ids: idList, ...groups, status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
  reply: Empty,
} satisfies Endpoint;

export const messageRemove = {
  method: "POST",
  path: `${base}/remove`,
  summary: "Removes own messages.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList, ...groups }),
  body: Type.Object({ ids: idList, ...groups }),
  reply: Empty,
} satisfies Endpoint;

export const messageCornerMark = {
  method: "POST",
  path: `${base}/app_corner_mark`,
  summary: "How many of the own messages are unread: the first and only item.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(Type.Integer({ minimum: 0 })),
} satisfies Endpoint;
