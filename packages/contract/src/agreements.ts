import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, PublishTime, pageOf, pageQuery } from "./scalars.ts";

/** The user agreement and the privacy policy. */
export const agreementKinds = ["user", "privacy"] as const;
export type AgreementKind = (typeof agreementKinds)[number];
/** `current` is in force; `past` was in force until a later version replaced it. */
export const agreementStates = ["draft", "scheduled", "current", "past"] as const;
export type AgreementState = (typeof agreementStates)[number];
/** Maximum lengths of a version's texts, in characters. */
export const agreementTextLength = { version: 20, title: 60, summary: 300, body: 60_000 } as const;

const Text = Type.Object({
  title: Type.String(),
  /** The change in one sentence, shown to people who are asked to consent again. */
  summary: Type.String(),
  /** Plain paragraphs, separated by blank lines. */
  body: Type.String(),
});

/** A version of an agreement as the group's staff manage it. */
export const AgreementVersion = Type.Object({
  id: Id,
  kind: Type.Enum(agreementKinds),
  version: Type.String(),
  state: Type.Enum(agreementStates),
  publishedAt: DateTime,
  /** People who agreed to an earlier version are asked again at their next log-in. */
  askAgain: Type.Boolean(),
  title: Type.String(),
  titleEn: Type.String(),
  /** Number of people who agreed to it. */
  consents: Type.Integer(),
  rowVersion: Type.Integer(),
  updateTime: DateTime,
});
export type AgreementVersion = Static<typeof AgreementVersion>;

export const AgreementVersionDetail = Type.Object({
  ...AgreementVersion.properties,
  zh: Text,
  en: Text,
  /** Id of the version that was in force before this one, to compare with; "" for none. */
  previousId: Type.String(),
  previousVersion: Type.String(),
  previousZh: Text,
  previousEn: Text,
});
export type AgreementVersionDetail = Static<typeof AgreementVersionDetail>;

const base = "/api/muyuan-customer/agreement";
const view = permission("agreement_view");
const edit = permission("agreement_edit");
const publish = permission("agreement_publish");

export const agreementPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "Versions of the agreements, drafts and scheduled ones first.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ ...pageQuery, kind: Type.Optional(Type.Enum(agreementKinds)) }),
  body: Empty,
  reply: pageOf(AgreementVersion),
} satisfies Endpoint;

export const agreementDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "A version with its texts in both languages, and those of the version before it.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: AgreementVersionDetail,
} satisfies Endpoint;

const TypedText = Type.Object({
  title: Type.String({ maxLength: 200 }),
  summary: Type.String({ maxLength: 1000 }),
  body: Type.String({ maxLength: 100_000 }),
});

export const agreementSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary: "Adds a draft (no id) or changes one; what is scheduled or published does not change.",
  access: edit,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Id),
    rowVersion: Type.Optional(Type.Integer({ description: "of the draft that was read" })),
    kind: Type.Enum(agreementKinds),
    version: Type.String({ maxLength: 60 }),
    askAgain: Type.Boolean(),
    zh: TypedText,
    en: TypedText,
  }),
  reply: Type.Object({ id: Id, rowVersion: Type.Integer() }),
} satisfies Endpoint;

const named = Type.Object({ id: Id, rowVersion: Type.Integer() });

export const agreementPublish = {
  method: "POST",
  path: `${base}/publish`,
  summary: "Publishes a draft now or at a time; both languages have to be there.",
  access: publish,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ...named.properties,
    at: PublishTime,
  }),
  reply: Empty,
} satisfies Endpoint;

export const agreementUnschedule = {
  method: "POST",
  path: `${base}/unschedule`,
  summary: "Makes a scheduled version a draft again.",
  access: publish,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: named,
  reply: Empty,
} satisfies Endpoint;

export const agreementRemove = {
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

/** One person's consent to a version, with its time. */
export const AgreementConsent = Type.Object({
  accountId: Id,
  account: Type.String(),
  contactName: Type.String({ description: "shortened" }),
  /** Names of the person's organizations, comma-separated. */
  tenants: Type.String(),
  kind: Type.Enum(agreementKinds),
  version: Type.String(),
  agreeTime: DateTime,
});
export type AgreementConsent = Static<typeof AgreementConsent>;

const consentFilter = {
  versionId: Type.Optional(Id),
  kind: Type.Optional(Type.Enum(agreementKinds)),
  keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of login name or name" })),
  from: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
  to: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "the whole day" })),
};

export const agreementConsentPage = {
  method: "GET",
  path: `${base}/consent/page`,
  summary: "Who agreed to which version when, the newest first.",
  access: view,
  owner: "group",
  rate: "read",
  personal: { account: "granted", contactName: "mask-name" },
  form: "envelope",
  query: Type.Object({ ...pageQuery, ...consentFilter }),
  body: Empty,
  reply: pageOf(AgreementConsent),
} satisfies Endpoint;

export const agreementConsentExport = {
  method: "POST",
  path: `${base}/consent/export`,
  summary: "Makes an xlsx of who agreed to what, as a job; names are shortened.",
  access: permission("agreement_export"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...consentFilter, language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;
