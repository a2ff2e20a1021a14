import { type Static, Type } from "typebox";
import { announcementStates } from "./announcement-states.ts";
import { TenantType, tenantTypes } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, PublishTime, pageOf, pageQuery } from "./scalars.ts";

export * from "./announcement-states.ts";

/** Audience of an announcement: everybody, all customers, or the memberships for which every chosen condition holds. */
export const announcementAudiences = ["all", "customers", "chosen"] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];
/** Maximum lengths in characters. */
export const announcementTextLength = { title: 60, content: 1000, link: 200 } as const;
/** Most regions, farms, tenants and roles, each, that one announcement may name. */
export const announcementTargets = 50;
/** Hours after which the people who have not read an announcement may be reminded again. */
export const announcementReminderHours = 4;
/** Receivers of an announcement by whether they read it. */
export const announcementReadings = ["read", "unread"] as const;

export const Announcement = Type.Object({
  id: Id,
  title: Type.String(),
  content: Type.String(),
  titleEn: Type.String(),
  contentEn: Type.String(),
  link: Type.String({ description: 'path in the portal; "" for none' }),
  audience: Type.Enum(announcementAudiences),
  tenantKinds: Type.Array(TenantType),
  regionCodes: Type.Array(Type.String()),
  farms: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  tenants: Type.Array(Type.Object({ id: Type.String({ description: "tenant id" }), name: Type.String() })),
  roleAliases: Type.Array(Type.String()),
  state: Type.Enum(announcementStates),
  dueTime: DateTime,
  sentTime: DateTime,
  /** Nobody sees it from then on; "" for no end. */
  endTime: DateTime,
  /** When the people who had not read it were reminded last. */
  remindTime: DateTime,
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

export const announcementDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "One announcement of the group.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Announcement,
} satisfies Endpoint;

const TenantId = Type.String({ pattern: "^[0-9]{6,12}$" });

/** Of `chosen` at least one list is needed; one that is left out or empty is no condition. */
const target = {
  audience: Type.Enum(announcementAudiences),
  tenantKinds: Type.Optional(Type.Array(TenantType, { maxItems: tenantTypes.length })),
  regionCodes: Type.Optional(
    Type.Array(Type.String({ pattern: "^(\\d{2}|\\d{4})$" }), {
      maxItems: announcementTargets,
      description: "provinces (2 digits) and prefectures (4) of the customer's farms or address",
    }),
  ),
  farmIds: Type.Optional(
    Type.Array(Id, { maxItems: announcementTargets, description: "members of the customers that have them" }),
  ),
  tenantIds: Type.Optional(Type.Array(TenantId, { maxItems: announcementTargets })),
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
    endTime: Type.Optional(
      Type.String({
        pattern: "^(\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}(:\\d{2})?)?$",
        description: 'Asia/Shanghai, after the time at which it is sent; "" for none',
      }),
    ),
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

export const announcementTenants = {
  method: "GET",
  path: `${base}/tenants`,
  summary: "Tenants that an announcement may name; at most 50, by a part of the name.",
  access: edit,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ keyword: Type.Optional(Type.String({ maxLength: 64 })) }),
  body: Empty,
  reply: Type.Array(Type.Object({ id: Type.String({ description: "tenant id" }), name: Type.String() })),
} satisfies Endpoint;

export const announcementReach = {
  method: "POST",
  path: `${base}/reach`,
  summary: "How many people of how many tenants an audience has now.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object(target),
  reply: Type.Object({ receivers: Type.Integer({ minimum: 0 }), tenants: Type.Integer({ minimum: 0 }) }),
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

/** A receiver of an announcement. */
export const AnnouncementReceipt = Type.Object({
  accountId: Id,
  contactName: Type.String(),
  account: Type.String({ description: "login name" }),
  tenants: Type.String({ description: "names of the person's tenants, separated by commas" }),
  /** "" while it is unread. */
  readTime: DateTime,
  /** When the person was reminded last. */
  remindTime: DateTime,
});
export type AnnouncementReceipt = Static<typeof AnnouncementReceipt>;

const receiptFilter = {
  id: Id,
  reading: Type.Optional(Type.Enum(announcementReadings)),
  keyword: Type.Optional(
    Type.String({ maxLength: 64, description: "part of the login name or of a tenant's name, or the whole name" }),
  ),
};

export const announcementReceiptPage = {
  method: "GET",
  path: `${base}/receipt/page`,
  summary: "The people whom an announcement reached, the unread first.",
  access: view,
  owner: "group",
  rate: "read",
  personal: { account: "granted", contactName: "mask-name" },
  form: "envelope",
  query: Type.Object({ ...pageQuery, ...receiptFilter }),
  body: Empty,
  reply: pageOf(AnnouncementReceipt),
} satisfies Endpoint;

export const announcementReceiptExport = {
  method: "POST",
  path: `${base}/receipt/export`,
  summary: "Makes an xlsx of the people whom an announcement reached, as a job; names are shortened.",
  access: permission("announcement_export"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...receiptFilter, language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const announcementRemind = {
  method: "POST",
  path: `${base}/remind`,
  summary:
    "Sends a sent announcement again to those of its audience who have not read it, in place of their first message; once in four hours.",
  access: permission("announcement_publish"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: named,
  reply: Type.Object({ receivers: Type.Integer({ minimum: 0, description: "who are reminded" }) }),
} satisfies Endpoint;
