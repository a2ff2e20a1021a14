import { type Static, Type } from "typebox";
import { auditWording } from "./audit.ts";
import { bankCardStates } from "./bank-card-rules.ts";
import { cancellationKinds, cancellationStates } from "./cancellation-states.ts";
import { contractStates } from "./contract-states.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Kinds of customer: a person or an enterprise, each with its own tenant. */
export const customerKinds = ["personal", "enterprise"] as const;
export type CustomerKind = (typeof customerKinds)[number];
/** `disabled`: no member can sign in. `cancelled`: no member has an account any more. */
export const customerStates = ["active", "disabled", "cancelled"] as const;
export type CustomerState = (typeof customerStates)[number];
/** States of a customer's real-name authentication. */
export const customerAuthentications = ["none", "reviewing", "rejected", "passed", "suspended"] as const;
export type CustomerAuthentication = (typeof customerAuthentications)[number];
/** The lists of customers. */
export const customerViews = ["all", "abnormal", "cancelled"] as const;
export type CustomerView = (typeof customerViews)[number];

/**
 * Rules that mark a customer as abnormal, the worst first. The job has one statement for each rule
 * (apps/server/src/modules/customers/finding.repository.ts); the web explains each rule and its remedy.
 */
export const customerRules = [
  "licence_expired",
  "authentication_suspended",
  "complaint_overdue",
  "sign_in_locked",
  "phone_on_hold",
  "device_silent",
  "owner_disabled",
  "licence_expiring",
] as const;
export type CustomerRule = (typeof customerRules)[number];
/** Days without a message after which a device counts as silent. */
export const customerSilentDays = 7;
/** Lockouts after wrong passwords within 24 hours from which a customer is abnormal. */
export const customerLockTimes = 1;
/** Days before the end of a licence from which a customer is abnormal. */
export const customerLicenceDays = 7;

/** One rule that a customer breaks. */
export const CustomerFinding = Type.Object({
  rule: Type.Enum(customerRules),
  sinceAt: DateTime,
  /** Detail of the rule, such as a day or a count. */
  detail: Type.String(),
});
export type CustomerFinding = Static<typeof CustomerFinding>;

/** A customer in a list. */
export const Customer = Type.Object({
  id: Type.String({ description: "tenant id" }),
  name: Type.String(),
  kind: Type.Enum(customerKinds),
  state: Type.Enum(customerStates),
  authentication: Type.Enum(customerAuthentications),
  regionCode: Type.String({ description: '2, 4 or 6 digits; "" for none' }),
  account: Type.String({ description: "login name of its first member" }),
  contactName: Type.String({ description: "shortened" }),
  phone: Type.String({ description: "masked" }),
  /** Number of its members, farms and devices. */
  members: Type.Integer(),
  farms: Type.Integer(),
  devices: Type.Integer(),
  findings: Type.Array(CustomerFinding),
  createTime: DateTime,
  /** When its last account was closed; "" while it has one. */
  endTime: DateTime,
});
export type Customer = Static<typeof Customer>;

const base = "/api/muyuan-customer/customer";
const view = permission("customer_view");
const tenantId = Type.String({ pattern: "^[0-9]{6,12}$", description: "tenant id" });

/** Conditions of a list of customers. */
const filter = {
  view: Type.Enum(customerViews),
  kind: Type.Optional(Type.Enum(customerKinds)),
  state: Type.Optional(Type.Enum(customerStates)),
  authentication: Type.Optional(Type.Enum(customerAuthentications)),
  rule: Type.Optional(Type.Enum(customerRules)),
  region: Type.Optional(
    Type.String({ pattern: "^(\\d{2}(\\d{2}(\\d{2})?)?)?$", description: "those inside it count" }),
  ),
  from: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "customer since this day" })),
  to: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "the whole day" })),
  keyword: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "part of name, login name or contact; or a whole phone number, ID number or credit code, which is looked up by its keyed index",
    }),
  ),
};

export const customerPage = {
  method: "GET",
  path: `${base}/page`,
  summary:
    "Customers of the group: those with a finding first, the worst before, then the one found the longest; then the newest; `abnormal` only the former.",
  access: view,
  owner: "group",
  rate: "read",
  personal: { account: "granted", contactName: "mask-name", phone: "mask-phone" },
  form: "envelope",
  query: Type.Object({ ...pageQuery, ...filter }),
  body: Empty,
  reply: pageOf(Customer),
} satisfies Endpoint;

export const CustomerFigures = Type.Object({
  total: Type.Integer(),
  abnormal: Type.Integer(),
  cancelled: Type.Integer(),
  /** Number of customers that each rule finds. */
  rules: Type.Array(Type.Object({ rule: Type.Enum(customerRules), count: Type.Integer() })),
  /** When the rules were last evaluated. */
  lookTime: DateTime,
});
export type CustomerFigures = Static<typeof CustomerFigures>;

export const customerFigures = {
  method: "GET",
  path: `${base}/figures`,
  summary: "How many customers there are in each list, and what each rule finds.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: CustomerFigures,
} satisfies Endpoint;

const Member = Type.Object({
  id: Id,
  account: Type.String(),
  contactName: Type.String({ description: "shortened" }),
  phone: Type.String({ description: "masked" }),
  email: Type.String({ description: "masked" }),
  roles: Type.String({ description: "names of roles, comma-separated" }),
  status: Type.Integer({ description: "1 may sign in, 0 may not" }),
  lastSeenAt: DateTime,
});

/** Everything about a customer on one page; lists are cut at 50. */
export const CustomerDetail = Type.Object({
  ...Customer.properties,
  email: Type.String({ description: "masked" }),
  /** Internal note of the group; the customer never sees it. */
  remark: Type.String(),
  version: Type.Integer(),
  /** An authentication verified the name, so that only a new authentication can change it. */
  nameProven: Type.Boolean(),
  /** An authentication verified the person, so that the contact is called as the ID card says. */
  contactProven: Type.Boolean(),
  proof: Type.Object({
    title: Type.String({ description: "name as it was authenticated, of a person shortened" }),
    state: Type.Enum(customerAuthentications),
    licenceUntil: Type.String({ description: 'yyyy-MM-dd; "" for none' }),
    submitTime: DateTime,
    decideTime: DateTime,
    hasNumber: Type.Boolean({ description: "an ID number or credit code can be shown" }),
  }),
  hasAddress: Type.Boolean({ description: "below the county, to be shown" }),
  memberList: Type.Array(Member),
  farmList: Type.Array(
    Type.Object({ id: Id, name: Type.String(), type: Type.String(), regionCode: Type.String(), heads: Type.Integer() }),
  ),
  deviceStates: Type.Array(Type.Object({ status: Type.String(), count: Type.Integer() })),
  deviceList: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      kind: Type.String(),
      serialNumber: Type.String(),
      status: Type.String(),
      reportTime: DateTime,
    }),
  ),
  orderList: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      type: Type.String(),
      title: Type.String(),
      state: Type.String(),
      overdue: Type.Boolean(),
      createTime: DateTime,
    }),
  ),
  contractList: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      title: Type.String(),
      titleEn: Type.String(),
      state: Type.Enum(contractStates),
      until: Type.String({ description: 'yyyy-MM-dd when its term ends; "" for none' }),
    }),
  ),
  cardList: Type.Array(
    Type.Object({
      id: Id,
      bankName: Type.String(),
      lastFour: Type.String(),
      state: Type.Enum(bankCardStates),
      isDefault: Type.Boolean(),
    }),
  ),
  /** Cancellations of its members and of the customer itself, running ones first. */
  closingList: Type.Array(
    Type.Object({
      id: Id,
      kind: Type.Enum(cancellationKinds),
      member: Type.String(),
      state: Type.Enum(cancellationStates),
      askTime: DateTime,
      dueTime: DateTime,
    }),
  ),
  alarmList: Type.Array(
    Type.Object({
      id: Id,
      kind: Type.String(),
      ruleId: Type.String(),
      ruleName: Type.String({ description: "in Chinese" }),
      severity: Type.Integer({ minimum: 1, maximum: 4 }),
      deviceName: Type.String(),
      raiseTime: DateTime,
    }),
  ),
  openAlarms: Type.Integer(),
  consentList: Type.Array(
    Type.Object({ kind: Type.String(), version: Type.String(), member: Type.String(), agreeTime: DateTime }),
  ),
  /** Open sessions of its members, without addresses. */
  sessionList: Type.Array(
    Type.Object({ id: Id, member: Type.String(), device: Type.String(), createTime: DateTime, lastSeenAt: DateTime }),
  ),
  history: Type.Array(Type.Object({ id: Id, ...auditWording, createTime: DateTime })),
});
export type CustomerDetail = Static<typeof CustomerDetail>;

export const customerDetail = {
  method: "GET",
  path: `${base}/detail`,
  summary: "One customer with what belongs to it; personal data are masked.",
  access: view,
  owner: "group",
  rate: "read",
  personal: {
    account: "granted",

    contactName: "mask-name",
    phone: "mask-phone",
    email: "mask-email",
  },
  form: "envelope",
  query: Type.Object({ id: tenantId }),
  body: Empty,
  reply: CustomerDetail,
} satisfies Endpoint;

/** Personal data that can be shown in full after a reason was given. */
export const customerSecrets = ["phone", "email", "name", "address", "idNumber"] as const;
export type CustomerSecret = (typeof customerSecrets)[number];
/** Length in characters of the reason for showing personal data. */
export const customerReasonLength = { min: 4, max: 120 } as const;

export const customerReveal = {
  method: "POST",
  path: `${base}/reveal`,
  summary:
    "One masked value of a customer in full, for who has just entered the own password and says why. Each look is an entry of the audit trail and of the person's own history.",
  access: permission("customer_show"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: tenantId,
    /** Id of the member; the first member where it is left out. Name, address and ID number are those of the customer. */
    memberId: Type.Optional(Id),
    field: Type.Enum(customerSecrets),
    reason: Type.String({ maxLength: 400, description: "4 to 120 characters" }),
  }),
  reply: Type.Object({ value: Type.String() }),
  confirmation: "always",
} satisfies Endpoint;

/** Maximum lengths of a customer's editable texts, in characters. */
export const customerTextLength = { name: 60, remark: 500 } as const;

export const customerSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary: "Changes the basic information of a customer, who is told of it; a remark is the group's own.",
  access: permission("customer_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: tenantId,
    version: Type.Integer({ minimum: 0 }),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    contactName: Type.Optional(Type.String({ maxLength: 200 })),
    regionCode: Type.Optional(Type.String({ pattern: "^(\\d{2}(\\d{2}(\\d{2})?)?)?$" })),
    address: Type.Optional(
      Type.String({ maxLength: 500, description: 'below the county; "" for that of the first member' }),
    ),
    remark: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  reply: Type.Object({ version: Type.Integer() }),
} satisfies Endpoint;

export const customerExport = {
  method: "POST",
  path: `${base}/export`,
  summary:
    "Makes an xlsx of what the list shows, as a job. Phones and contacts in full only with the right to see them, a log-in or confirmation in the last 5 minutes and a reason; each customer's history says so.",
  access: permission("customer_export"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ...filter,
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
    personal: Type.Optional(Type.Boolean({ description: "phones and contacts in full" })),
    reason: Type.Optional(Type.String({ maxLength: 400, description: "needed with personal" })),
  }),
  reply: Type.Object({ jobId: Id }),
  confirmation: "depends",
} satisfies Endpoint;
