import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { realNameFields, realNameKinds } from "./real-name-checks.ts";
import { realNameStates, remittanceStates } from "./real-name-states.ts";
import { DateOnly, DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Reasons for returning an item, and `none` for no objection (product.md 4). */
export const realNameReasons = ["mismatch", "seal", "missing", "expired", "expiring", "none"] as const;
export type RealNameReason = (typeof realNameReasons)[number];

/** Reasons why a remittance failed: those of the bank, or `tries` after too many wrong amounts. */
export const remittanceFailures = ["name_mismatch", "not_public", "no_account", "refused", "tries"] as const;
export type RemittanceFailure = (typeof remittanceFailures)[number];

/** Amount of the test remittance, in fen (product.md 9). */
export const remittanceFen = 1;
/** Wrong amounts after which a remittance fails. */
export const remittanceTries = 3;
/** Most remittances of one customer within 24 hours. */
export const remittancesPerDay = 3;
/** Minutes after the reviewer's last activity for which a claimed application stays with the reviewer. */
export const claimMinutes = 30;
/** Days before the end of a licence on which its owner is reminded. */
export const licenceReminderDays = [30, 7] as const;

/** One item of an application. */
export const RealNameItem = Type.Object({
  field: Type.Enum(realNameFields),
  value: Type.String({ description: 'numbers of people and accounts are masked; "" for a picture' }),
  pictureId: Type.String({ description: 'id of the uploaded file; "" for a text or when there is none' }),
  verdict: Type.Enum(["open", "accepted", "returned"] as const),
  reason: Type.String({ description: `${realNameReasons.join(", ")}; "" while nobody looked` }),
  note: Type.String({ description: "what the reviewer adds to the reason" }),
  documentValue: Type.String({
    description: 'what the document says as the reviewer read it; "" when that is not said',
  }),
  resent: Type.Boolean({ description: "sent with the newest round, after an earlier one" }),
});
export type RealNameItem = Static<typeof RealNameItem>;

/** One event in the history of an application. */
export const RealNameEvent = Type.Object({
  id: Id,
  what: Type.Enum([
    "submitted",
    "resubmitted",
    "remitted",
    "arrived",
    "confirmed",
    "remittance_failed",
    "remittance_expired",
    "first_look",
    "rejected",
    "passed",
    "reminded",
    "suspended",
    "replaced",
    "withdrawn",
  ] as const),
  actor: Type.String({
    description: 'who of the group did it, for the group\'s people; "" for customers and for the clock',
  }),
  fields: Type.Array(Type.String(), { description: "items that it is about" }),
  createTime: DateTime,
});
export type RealNameEvent = Static<typeof RealNameEvent>;

export const RealNameRemittance = Type.Object({
  id: Id,
  state: Type.Enum(remittanceStates),
  failure: Type.String({ description: `${remittanceFailures.join(", ")}; "" when it did not fail` }),
  reference: Type.String({ description: "the bank's number of it" }),
  sandbox: Type.Boolean({ description: "nothing was sent to a bank" }),
  arrivals: Type.Integer({ description: "how often the bank says it arrived; more than 1 is the bank's mistake" }),
  triesLeft: Type.Integer({ minimum: 0 }),
  createTime: DateTime,
  sentTime: DateTime,
  arrivedTime: DateTime,
  expireTime: DateTime,
});
export type RealNameRemittance = Static<typeof RealNameRemittance>;

export const RealNameApplication = Type.Object({
  id: Id,
  kind: Type.Enum(realNameKinds),
  state: Type.Enum(realNameStates),
  title: Type.String({ description: "name of the person or the enterprise" }),
  round: Type.Integer({ description: "how often it was sent, from 1" }),
  version: Type.Integer(),
  /** An upgrade from a personal authentication in force to one of an enterprise. */
  upgrade: Type.Boolean(),
  submitTime: DateTime,
  /** Time by which the reviewers take the next step: one working day. */
  dueTime: DateTime,
  decideTime: DateTime,
  licenceUntil: DateOnly,
  items: Type.Array(RealNameItem),
  /** The newest remittance; absent where there was none. */
  remittance: Type.Optional(RealNameRemittance),
  events: Type.Array(RealNameEvent),
});
export type RealNameApplication = Static<typeof RealNameApplication>;

/** Items that a customer entered and did not send yet; numbers of people and accounts are masked. */
export const RealNameDraft = Type.Object({
  kind: Type.Enum(realNameKinds),
  values: Type.Record(Type.String(), Type.String()),
  updateTime: DateTime,
});
export type RealNameDraft = Static<typeof RealNameDraft>;

export const RealNameDetail = Type.Object({
  status: Type.Enum(["none", ...realNameKinds] as const, { description: "what is in force, suspended or not" }),
  /** Binding devices, ordering pigs and bidding are allowed. */
  open: Type.Boolean(),
  /** Days until the licence in force ends, including the last one; negative afterwards; absent without such a licence. */
  daysLeft: Type.Optional(Type.Integer()),
  current: Type.Optional(RealNameApplication),
  /** The application that is not decided yet. */
  application: Type.Optional(RealNameApplication),
  draft: Type.Optional(RealNameDraft),
  /** Remittances that can still be sent within the current 24 hours. */
  sendsLeft: Type.Integer({ minimum: 0 }),
});
export type RealNameDetail = Static<typeof RealNameDetail>;

const typed = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
/** Items to enter; a picture is the id of an uploaded private file; an item that is left out keeps its value in the draft. */
const RealNameValues = Type.Object({
  personName: typed(40),
  idNumber: typed(40),
  licencePicture: typed(20),
  enterpriseName: typed(200),
  creditCode: typed(40),
  legalName: typed(40),
  licenceUntil: typed(10),
  letterPicture: typed(20),
  legalIdNumber: typed(40),
  legalPhone: typed(40),
  contactPhone: typed(40),
  accountName: typed(200),
  bankName: typed(200),
  branchName: typed(200),
  bankCode: typed(40),
  bankAccount: typed(60),
});
export type RealNameValues = Static<typeof RealNameValues>;

const base = "/api/muyuan-customer/real-name";
const own = permission("real_name_submit");

export const realNameDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "How the session's tenant is authenticated, the application that is under way, and the draft.",
  access: own,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: RealNameDetail,
} satisfies Endpoint;

export const realNameDraft = {
  method: "POST",
  path: `${base}/draft`,
  summary: "Keeps what was typed, encrypted, until it is sent; another kind begins anew.",
  access: own,
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ kind: Type.Enum(realNameKinds), values: RealNameValues }),
  reply: RealNameDraft,
} satisfies Endpoint;

export const realNameSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary:
    "Sends an application: what is in force, the draft, and these values, in this order. Enterprises get a test remittance before the review.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    kind: Type.Enum(realNameKinds),
    values: RealNameValues,
    /** For a person: the last six characters of the ID number, typed again. */
    lastSix: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  reply: Type.Object({ id: Id, state: Type.Enum(realNameStates) }),
} satisfies Endpoint;

export const realNameResubmit = {
  method: "POST",
  path: `${base}/resubmit`,
  summary: "Sends the returned items again, all of them and no others; or the account after a remittance failed.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, values: RealNameValues }),
  reply: Type.Object({ id: Id, state: Type.Enum(realNameStates) }),
} satisfies Endpoint;

export const realNameWithdraw = {
  method: "POST",
  path: `${base}/withdraw`,
  summary: "Takes an application back that no reviewer has in hand. What is in force stays.",
  access: own,
  owner: "tenant",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const realNameConfirm = {
  method: "POST",
  path: `${base}/remittance/confirm`,
  summary: "Says which amount arrived. Three wrong ones end the remittance.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, amountFen: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "fen" }) }),
  reply: Type.Object({ id: Id, state: Type.Enum(realNameStates) }),
} satisfies Endpoint;

export const realNameRemitAgain = {
  method: "POST",
  path: `${base}/remittance/again`,
  summary: "Orders another remittance after one that failed or expired; three within 24 hours.",
  access: own,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

const desk = `${base}-review`;
const review = permission("real_name_review");

/** An application in the reviewers' queue. */
export const RealNameTask = Type.Object({
  id: Id,
  title: Type.String(),
  kind: Type.Enum(realNameKinds),
  state: Type.Enum(realNameStates),
  round: Type.Integer(),
  upgrade: Type.Boolean(),
  queueTime: DateTime,
  dueTime: DateTime,
  decideTime: DateTime,
  /** Number of times it was rejected. */
  rejections: Type.Integer(),
  mine: Type.Boolean({ description: "claimed by the caller" }),
  claimer: Type.String({ description: 'who has it in hand; "" for nobody' }),
  claimTime: DateTime,
});
export type RealNameTask = Static<typeof RealNameTask>;

export const realNameViews = ["waiting", "mine", "second", "done"] as const;
export type RealNameView = (typeof realNameViews)[number];

export const realNameReviewPage = {
  method: "GET",
  path: `${desk}/page`,
  summary: "The reviewers' queue, those that are due first at the top; `done` has the decided ones, newest first.",
  access: review,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    view: Type.Enum(realNameViews),
    kind: Type.Optional(Type.Enum(realNameKinds)),
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of the name" })),
  }),
  body: Empty,
  reply: pageOf(RealNameTask),
} satisfies Endpoint;

/** Findings of the server's checks of an item. */
export const realNameFindings = ["check_fits", "expiring", "expired", "no_end", "used_elsewhere"] as const;
export type RealNameFinding = (typeof realNameFindings)[number];

export const RealNameReview = Type.Object({
  ...RealNameApplication.properties,
  tenantId: Type.String(),
  rejections: Type.Integer(),
  mine: Type.Boolean(),
  claimer: Type.String(),
  claimUntil: DateTime,
  /** The caller made the first review, so another person must make the second. */
  firstLookMine: Type.Boolean(),
  findings: Type.Array(
    Type.Object({
      field: Type.Enum(realNameFields),
      finding: Type.Enum(realNameFindings),
      days: Type.Optional(Type.Integer()),
    }),
  ),
});
export type RealNameReview = Static<typeof RealNameReview>;

export const realNameReviewDetail = {
  method: "GET",
  path: `${desk}/detail`,
  summary: "An application with its items, what the server found, its remittance and its history.",
  access: review,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: RealNameReview,
} satisfies Endpoint;

export const realNameClaim = {
  method: "POST",
  path: `${desk}/claim`,
  summary: "Takes an application in hand for 30 minutes, or for 30 more. Refused while somebody else has it.",
  access: review,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ claimUntil: DateTime }),
} satisfies Endpoint;

export const realNameRelease = {
  method: "POST",
  path: `${desk}/release`,
  summary: "Puts a claimed application back.",
  access: review,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const realNameDecide = {
  method: "POST",
  path: `${desk}/decide`,
  summary:
    "Decides a claimed application by a verdict for each open item: `none` for all passes it (an enterprise goes to another reviewer first), anything else returns those items.",
  access: review,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Id,
    /** Version of the application that the caller saw. */
    version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    verdicts: Type.Array(
      Type.Object({
        field: Type.Enum(realNameFields),
        reason: Type.Enum(realNameReasons),
        note: Type.Optional(Type.String({ maxLength: 200 })),
        documentValue: Type.Optional(Type.String({ maxLength: 100 })),
      }),
      { minItems: 1, maxItems: 20 },
    ),
  }),
  reply: Type.Object({ id: Id, state: Type.Enum(realNameStates) }),
} satisfies Endpoint;

export const realNamePicture = {
  method: "POST",
  path: `${desk}/picture`,
  summary: "The address of an application's picture, for one look within 60 s in this browser.",
  access: review,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, field: Type.Enum(realNameFields) }),
  reply: Type.Object({ url: Type.String(), expiresIn: Type.Integer({ description: "seconds" }) }),
} satisfies Endpoint;

export const realNameReveal = {
  method: "POST",
  path: `${desk}/reveal`,
  summary:
    "A masked number in full, for who has just entered the own password. Each look is an entry of the audit trail.",
  access: permission("real_name_reveal"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, field: Type.Enum(realNameFields) }),
  reply: Type.Object({ value: Type.String() }),
  confirmation: "always",
} satisfies Endpoint;

/** Figures of the review desk: the queue now, and decisions within 30 days. */
export const RealNameFigures = Type.Object({
  waiting: Type.Integer(),
  second: Type.Integer(),
  mine: Type.Integer(),
  overdue: Type.Integer(),
  /** Age of the oldest waiting application; absent when none waits. */
  oldestMinutes: Type.Optional(Type.Integer()),
  /** Median minutes from the queue to the decision; absent without decisions. */
  medianMinutes: Type.Optional(Type.Integer()),
  decided: Type.Integer(),
  passed: Type.Integer(),
  rejected: Type.Integer(),
  /** Number of returned items by reason. */
  reasons: Type.Array(Type.Object({ reason: Type.Enum(realNameReasons), count: Type.Integer() })),
});
export type RealNameFigures = Static<typeof RealNameFigures>;

export const realNameFigures = {
  method: "GET",
  path: `${desk}/figures`,
  summary: "What waits for the reviewers, and how fast and how they decided within 30 days.",
  access: review,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: RealNameFigures,
} satisfies Endpoint;
