import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** What a message is about. */
export const messageKinds = ["security", "system", "alarm", "service"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** A message inside the portal. Title and content are Chinese, keys of the translations. */
export const Message = Type.Object({
  id: Id,
  kind: Type.Enum(messageKinds),
  title: Type.String(),
  content: Type.String(),
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

export const messageUpdateStatus = {
  method: "POST",
  path: `${base}/update_status`,
  summary: "Marks own messages as read (status 1, the default) or unread (0); without ids all of them.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList, status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
  body: Type.Object({ ids: idList, status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
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
  query: Type.Object({ ids: idList }),
  body: Type.Object({ ids: idList }),
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
