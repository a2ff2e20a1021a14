import { type Static, Type } from "typebox";
import {
  cancellationEffects,
  cancellationKinds,
  cancellationReasons,
  cancellationStates,
  retentionRules,
} from "./cancellation-states.ts";
import { SmsSent } from "./captchas.ts";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateOnly, DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

export * from "./cancellation-states.ts";

const categories = retentionRules.map(({ category }) => category);

/** One kind of data that a cancellation touches. */
export const CancellationTouch = Type.Object({
  effect: Type.Enum(cancellationEffects),
  count: Type.Integer({ minimum: 1 }),
  /** It must be gone before the cancellation. */
  blocks: Type.Boolean(),
});
export type CancellationTouch = Static<typeof CancellationTouch>;

export const Cancellation = Type.Object({
  id: Id,
  kind: Type.Enum(cancellationKinds),
  state: Type.Enum(cancellationStates),
  version: Type.Integer(),
  reason: Type.String({ description: `${cancellationReasons.join(", ")}; "" where none was given` }),
  askTime: DateTime,
  /** End of the cooling-off period. */
  coolUntil: DateTime,
  /** Time by which the desk decides: 3 working days of service after the cooling-off period. */
  dueTime: DateTime,
  decideTime: DateTime,
  /** Time of the erasure; "" unless it was accepted. */
  eraseTime: DateTime,
  /** The desk's reason for a refusal. */
  answer: Type.String(),
});
export type Cancellation = Static<typeof Cancellation>;

export const CancellationView = Type.Object({
  kind: Type.Enum(cancellationKinds),
  /** Login name of the account, or name of the customer, that is closed. */
  title: Type.String(),
  phone: Type.String({ description: 'where the code goes, masked; "" without a proven phone' }),
  touches: Type.Array(CancellationTouch),
  /** Data that law requires to be kept, and for how many months. */
  kept: Type.Array(Type.Object({ category: Type.Enum(categories), months: Type.Integer() })),
  /** The running cancellation, or else the last one that ended. */
  current: Type.Optional(Cancellation),
});
export type CancellationView = Static<typeof CancellationView>;

const base = "/api/muyuan-customer/cancellation";
const enterprise = permission("customer_close");
const ask = Type.Object({
  reason: Type.Optional(Type.Enum(cancellationReasons)),
  /** The person confirmed having read the preview. */
  understood: Type.Literal(true),
  codeId: Type.Optional(Type.String({ maxLength: 100 })),
  code: Type.Optional(Type.String({ maxLength: 10 })),
});
const personal = { phone: "mask-phone" } as const;

export const cancellationDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "What closing the own account affects, what blocks it, what law keeps, and where it stands.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: CancellationView,
} satisfies Endpoint;

export const cancellationCode = {
  method: "POST",
  path: `${base}/send-code`,
  summary: "Sends a code to the own phone, for closing the account or the customer.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: SmsSent,
} satisfies Endpoint;

export const cancellationSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary: "Asks to close the own account, after a fresh password and a code: 7 days to cool off begin.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal,
  form: "envelope",
  query: Empty,
  body: ask,
  reply: CancellationView,
  confirmation: "always",
} satisfies Endpoint;

export const cancellationTakeBack = {
  method: "POST",
  path: `${base}/take-back`,
  summary: "Takes it back, until the moment of the erasure; nothing has changed.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal,
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: CancellationView,
} satisfies Endpoint;

export const customerCloseDetail = {
  method: "GET",
  path: `${base}/enterprise/detail`,
  summary: "What closing the session's customer affects, what blocks it, what law keeps, and where it stands.",
  access: enterprise,
  owner: "tenant",
  rate: "read",
  personal,
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: CancellationView,
} satisfies Endpoint;

export const customerCloseSubmit = {
  method: "POST",
  path: `${base}/enterprise/submit`,
  summary:
    "Asks to close the session's customer with all its members, after a fresh password and a code; every member is told.",
  access: enterprise,
  owner: "tenant",
  rate: "guarded",
  personal,
  form: "envelope",
  query: Empty,
  body: ask,
  reply: CancellationView,
  confirmation: "always",
} satisfies Endpoint;

export const customerCloseTakeBack = {
  method: "POST",
  path: `${base}/enterprise/take-back`,
  summary: "Takes it back, by anybody of the customer who may ask for it, until the moment of the erasure.",
  access: enterprise,
  owner: "tenant",
  rate: "write",
  personal,
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: CancellationView,
} satisfies Endpoint;

export const cancellationQueues = ["waiting", "cooling", "accepted", "done"] as const;
export type CancellationQueue = (typeof cancellationQueues)[number];

export const DeskCancellation = Type.Object({
  ...Cancellation.properties,
  title: Type.String({ description: "shortened login name, or the customer's name; a pseudonym after the erasure" }),
  customer: Type.String({ description: "tenant that it was asked in" }),
  decider: Type.String(),
});
export type DeskCancellation = Static<typeof DeskCancellation>;

const desk = permission("cancellation_desk");

export const cancellationDeskPage = {
  method: "GET",
  path: `${base}/desk/page`,
  summary: "Cancellations by queue, what is due first at the top.",
  access: desk,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    queue: Type.Optional(Type.Enum(cancellationQueues)),
    kind: Type.Optional(Type.Enum(cancellationKinds)),
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of the customer's name" })),
  }),
  body: Empty,
  reply: Type.Object({
    ...pageOf(DeskCancellation).properties,
    counts: Type.Object({
      waiting: Type.Integer(),
      overdue: Type.Integer(),
      cooling: Type.Integer(),
      accepted: Type.Integer(),
      /** Number erased within 30 days. */
      erased: Type.Integer(),
    }),
  }),
} satisfies Endpoint;

export const CancellationStep = Type.Object({
  id: Id,
  what: Type.Enum(["ask", "take_back", "ripen", "accept", "refuse", "hold", "erase"] as const),
  actor: Type.String({ description: 'who of the group; "" for the customer and the clock' }),
  createTime: DateTime,
});

/** Result of an erasure as counts; it never contains erased data. */
export const CancellationReport = Type.Object({
  /** Number of rows removed or emptied, by kind of data. */
  erased: Type.Array(Type.Object({ what: Type.String(), rows: Type.Integer() })),
  /** Number of rows kept without the name. */
  anonymized: Type.Array(Type.Object({ what: Type.String(), rows: Type.Integer() })),
});
export type CancellationReport = Static<typeof CancellationReport>;

export const RetainedRecord = Type.Object({
  id: Id,
  category: Type.Enum(categories),
  keepUntil: DateOnly,
  /** The retention period is over, and the content was erased. */
  gone: Type.Boolean(),
});
export type RetainedRecord = Static<typeof RetainedRecord>;

export const DeskCancellationDetail = Type.Object({
  ...DeskCancellation.properties,
  touches: Type.Array(CancellationTouch),
  steps: Type.Array(CancellationStep),
  report: Type.Optional(CancellationReport),
  retained: Type.Array(RetainedRecord),
});
export type DeskCancellationDetail = Static<typeof DeskCancellationDetail>;

export const cancellationDeskDetail = {
  method: "GET",
  path: `${base}/desk/detail`,
  summary: "A cancellation with what it touches now, its steps, and after the erasure its report.",
  access: desk,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeskCancellationDetail,
} satisfies Endpoint;

export const cancellationAccept = {
  method: "POST",
  path: `${base}/desk/accept`,
  summary: "Consents: it is erased after 24 hours unless it is taken back. Refused while something blocks it.",
  access: desk,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, version: Type.Integer() }),
  reply: DeskCancellationDetail,
} satisfies Endpoint;

export const cancellationRefuse = {
  method: "POST",
  path: `${base}/desk/refuse`,
  summary: "Refuses with a reason that the customer reads.",
  access: desk,
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, version: Type.Integer(), answer: Type.String({ minLength: 2, maxLength: 500 }) }),
  reply: DeskCancellationDetail,
} satisfies Endpoint;

export const retainedShow = {
  method: "POST",
  path: `${base}/desk/retained`,
  summary:
    "What law keeps of an erased customer, opened for who has just entered the own password, with a reason. Each look is an entry of the audit trail.",
  access: permission("retained_view"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, reason: Type.String({ minLength: 2, maxLength: 200 }) }),
  reply: Type.Object({ content: Type.String({ description: "JSON" }) }),
  confirmation: "always",
} satisfies Endpoint;
