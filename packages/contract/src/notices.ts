import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-desk";
const reading = {
  method: "GET",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  body: Empty,
} as const;

/** An announcement of the group as clients of the family read it (wire.md 3.12). */
export const Notice = Type.Object({
  id: Id,
  tenantId: Type.String({ description: "the group's" }),
  title: Type.String(),
  category: Type.Integer({ description: "dictionary notice" }),
  categoryName: Type.String(),
  releaseTime: DateTime,
  content: Type.String({ description: "HTML of its paragraphs" }),
  createUser: Type.String(),
  createDept: Type.String(),
  createTime: DateTime,
  updateUser: Type.String(),
  updateTime: DateTime,
  status: Type.Integer(),
  isDeleted: Type.Integer(),
});
export type Notice = Static<typeof Notice>;

const moment = Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2})?$" }));

export const noticePage = {
  ...reading,
  path: `${base}/notice/page`,
  aliases: [`${base}/notice/list`],
  summary:
    "Announcements that reached the session's account, newest first; those who may see announcements also find drafts and scheduled ones.",
  query: Type.Object({
    ...pageQuery,
    title: Type.Optional(Type.String({ maxLength: 60, description: "part of it" })),
    category: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
    category_equal: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
    releaseTime_datege: moment,
    releaseTime_datele: moment,
  }),
  reply: pageOf(Notice),
} satisfies Endpoint;

export const noticeTop = {
  ...reading,
  path: `${base}/notice/top`,
  summary: "The newest announcements that reached the session's account, a page at a time.",
  query: Type.Object(pageQuery),
  reply: pageOf(Notice),
} satisfies Endpoint;

export const noticeDetail = {
  ...reading,
  path: `${base}/notice/detail`,
  summary: "One announcement, where it may be read.",
  query: Type.Object({ id: Id }),
  reply: Notice,
} satisfies Endpoint;

export const noticeSubmit = {
  method: "POST",
  path: `${base}/notice/submit`,
  aliases: [`${base}/notice/save`, `${base}/notice/update`],
  summary:
    "Adds an announcement to everybody as a draft, or changes one that is a draft; with a releaseTime it is scheduled for then, or sent at once where that is past, if the caller may publish.",
  access: permission("announcement_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Type.Union([Id, Type.Literal("")])),
    title: Type.String({ maxLength: 200 }),
    category: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
    releaseTime: Type.Optional(Type.String({ maxLength: 19 })),
    content: Type.String({ maxLength: 20_000, description: "HTML; its text is kept" }),
  }),
  reply: Empty,
} satisfies Endpoint;

export const noticeRemove = {
  method: "POST",
  path: `${base}/notice/remove`,
  summary: "Removes drafts, and takes back what is scheduled or sent, which needs the right to publish.",
  access: permission("announcement_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList }),
  body: Type.Object({ ids: idList }),
  reply: Empty,
} satisfies Endpoint;

const dashboard = (name: string, summary: string) =>
  ({
    ...reading,
    path: `${base}/dashboard/${name}`,
    summary,
    query: Empty,
    reply: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        category: Type.String(),
        releaseTime: DateTime,
        updatedAt: DateTime,
      }),
    ),
  }) satisfies Endpoint;

export const deskActivities = dashboard("activities", "The newest messages of the session's account; at most 10.");
export const deskNotices = dashboard(
  "notices",
  "The newest announcements that reached the session's account; at most 10.",
);
export const deskMyNotices = dashboard(
  "my-notices",
  "Announcements that the session's account has not read; at most 10.",
);
