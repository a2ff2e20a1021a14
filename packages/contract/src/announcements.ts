import { type Static, Type } from "typebox";
import { announcementStates } from "./announcement-states.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, PublishTime, pageOf, pageQuery } from "./scalars.ts";

export * from "./announcement-states.ts";

/** Audience of an announcement: everybody, all customers, members of the owners of chosen farms, or holders of chosen roles. */
export const announcementAudiences = ["all", "customers", "farms", "roles"] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];
/** Maximum lengths in characters. */
export const announcementTextLength = { title: 60, content: 1000, link: 200 } as const;
/** Most farms, and most roles, that one announcement may name. */
export const announcementTargets = 50;

export const Announcement = Type.Object({
  id: Id,
  title: Type.String(),
  content: Type.String(),
  titleEn: Type.String(),
  contentEn: Type.String(),
  link: Type.String({ description: 'path in the portal; "" for none' }),
  audience: Type.Enum(announcementAudiences),
  farms: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  roleAliases: Type.Array(Type.String()),
  state: Type.Enum(announcementStates),
  dueTime: DateTime,
  sentTime: DateTime,
  /** Number of people who received it, and of those who read it. */
  receivers: Type.Integer(),
  readers: Type.Integer(),
  author: Type.String(),
  version: Type.Integer(),
  updateTime: DateTime,
});
export type Announcement = Static<typeof Announcement>;

const base = "/api/muyuan-message-center/announcement";
const view = permission("announcement_view");
const edit = permission("announcement_edit");

export const announcementPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "Announcements of the group, newest first.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ ...pageQuery, state: Type.Optional(Type.Enum(announcementStates)) }),
  body: Empty,
  reply: pageOf(Announcement),
} satisfies Endpoint;

const target = {
  audience: Type.Enum(announcementAudiences),
  farmIds: Type.Optional(Type.Array(Id, { maxItems: announcementTargets })),
  roleAliases: Type.Optional(
    Type.Array(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), { maxItems: announcementTargets }),
  ),
};

export const announcementSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary: "Adds a draft (no id) or changes one.",
  access: edit,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Id),
    version: Type.Optional(Type.Integer({ description: "of the draft that was read" })),
    title: Type.String({ maxLength: 200 }),
    content: Type.String({ maxLength: 4000 }),
    category: Type.Optional(Type.Integer({ minimum: 1, maximum: 99, description: "dictionary notice" })),
    titleEn: Type.Optional(Type.String({ maxLength: 200 })),
    contentEn: Type.Optional(Type.String({ maxLength: 4000 })),
    link: Type.Optional(Type.String({ maxLength: 400, description: "path in the portal, beginning with one slash" })),
    ...target,
  }),
  reply: Type.Object({ id: Id, version: Type.Integer() }),
} satisfies Endpoint;

/** Farms that an announcement may name. */
export const AnnouncementFarm = Type.Object({ id: Id, name: Type.String(), customer: Type.String() });

export const announcementFarms = {
  method: "GET",
  path: `${base}/farms`,
  summary: "Farms of customers, for an audience; at most 50, by a part of the farm's or the customer's name.",
  access: edit,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ keyword: Type.Optional(Type.String({ maxLength: 64 })) }),
  body: Empty,
  reply: Type.Array(AnnouncementFarm),
} satisfies Endpoint;

export const announcementReach = {
  method: "POST",
  path: `${base}/reach`,
  summary: "How many people an audience has now.",
  access: edit,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object(target),
  reply: Type.Object({ receivers: Type.Integer() }),
} satisfies Endpoint;

const named = Type.Object({ id: Id, version: Type.Integer() });

export const announcementSchedule = {
  method: "POST",
  path: `${base}/schedule`,
  summary: "Sends a draft now or at a time.",
  access: permission("announcement_publish"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ...named.properties,
    at: PublishTime,
  }),
  reply: Empty,
} satisfies Endpoint;

export const announcementUnschedule = {
  method: "POST",
  path: `${base}/unschedule`,
  summary: "Makes a scheduled announcement a draft again.",
  access: permission("announcement_publish"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: named,
  reply: Empty,
} satisfies Endpoint;

export const announcementWithdraw = {
  method: "POST",
  path: `${base}/withdraw`,
  summary: "Takes an announcement back: nobody else gets it, and it leaves the lists of those who have it.",
  access: permission("announcement_publish"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: named,
  reply: Empty,
} satisfies Endpoint;

export const announcementRemove = {
  method: "POST",
  path: `${base}/remove`,
  summary: "Removes a draft.",
  access: edit,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: named,
  reply: Empty,
} satisfies Endpoint;
